import type { ITriggerFunctions, IWebhookFunctions } from 'n8n-workflow';

/** More than the 25 newest responses that recovery reads. */
const REMEMBERED = 200;

const byNode = new Map<string, Set<string>>();

/**
 * The responses that this process gave to n8n to run, by key. Saves recovery from starting runs
 * which would find that all of theirs already ran.
 */
export function handedOver(context: ITriggerFunctions | IWebhookFunctions) {
	const node = `${context.getWorkflow().id}/${context.getNode().id}`;
	const keys = byNode.get(node) ?? new Set<string>();
	byNode.set(node, keys);
	return {
		has: (key: string) => keys.has(key),
		add(key: string) {
			keys.add(key);
			const [oldest] = keys;
			if (keys.size > REMEMBERED) keys.delete(oldest);
		},
	};
}
