import { showHint } from '../../../../nodes/FormResponses/hint';

/** A run of n8n, and the hints that it shows. */
function aRun() {
	const hints: unknown[] = [];
	const context = { addExecutionHints: (hint: unknown) => hints.push(hint) };
	return { context: context as never, hints };
}

test('a hint is shown once in a run, and beside others', () => {
	const runs = [aRun(), aRun()];
	for (const { context } of runs)
		['Late', 'Late', 'Full'].forEach((text) => showHint(context, text));
	const shown = ['Late', 'Full'].map((message) => ({ message, location: 'outputPane' }));
	expect(runs.map(({ hints }) => hints)).toEqual([shown, shown]);
});

test('what looks like HTML is shown as it is', () => {
	const { context, hints } = aRun();
	showHint(context, 'No <i> and <b>');
	expect(hints).toMatchObject([{ message: 'No &lt;i> and &lt;b>' }]);
});

test('a version of n8n that shows no hints goes on', () => {
	expect(() => showHint({} as never, 'Late')).not.toThrow();
});
