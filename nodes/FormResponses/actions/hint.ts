import type { IExecuteFunctions } from 'n8n-workflow';

/** What each run has shown. */
const shown = new WeakMap<IExecuteFunctions, Set<string>>();

/** Shows a hint beside the output: the first one about its topic, however many items give cause for one. */
export function showHint(context: IExecuteFunctions, topic: string, message: string): void {
	const topics = shown.get(context) ?? new Set();
	shown.set(context, topics);
	if (topics.has(topic)) return;
	topics.add(topic);
	context.addExecutionHints?.({ message, location: 'outputPane' });
}
