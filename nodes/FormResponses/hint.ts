import type { IExecuteFunctions } from 'n8n-workflow';

/** What each run has shown. */
const shown = new WeakMap<IExecuteFunctions, Set<string>>();

/** Shows a hint beside the output, once, however many items give cause for it. n8n shows it as HTML. */
export function showHint(context: IExecuteFunctions, text: string): void {
	const message = text.replaceAll('<', '&lt;');
	const messages = shown.get(context) ?? new Set();
	shown.set(context, messages);
	if (!messages.has(message)) context.addExecutionHints?.({ message, location: 'outputPane' });
	messages.add(message);
}
