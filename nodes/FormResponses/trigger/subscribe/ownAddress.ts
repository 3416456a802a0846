import { NodeOperationError } from 'n8n-workflow';
import type { HookContext } from './hookContext';
import { reachability } from './reachable';

/** The scheme decides: "localhost:5678" would be one. */
const isWhole = (url: string) => /^https?:/i.test(url) && URL.canParse(url);

export const originOf = (url: string) => (isWhole(url) ? new URL(url).origin : url.split('/')[0]);

export const SET_WEBHOOK_URL =
	'Set the environment variables WEBHOOK_URL and, for tests, N8N_EDITOR_BASE_URL of n8n to its public address, such as https://n8n.example.com/, and restart n8n.';

const WITHOUT_ADDRESS = 'Or use an API key; for a test, "Latest Response" is enough.';

/** @throws NodeOperationError if the address of this n8n has no scheme */
export function assertWhole(context: HookContext, webhookUrl: string): void {
	if (isWhole(webhookUrl)) return;
	const message = `The address of this n8n is not whole: ${originOf(webhookUrl)}. ${SET_WEBHOOK_URL}`;
	throw new NodeOperationError(context.getNode(), message);
}

/** @throws NodeOperationError if the service at `baseUrl` cannot reach this n8n */
export function assertReachable(context: HookContext, baseUrl: string, webhookUrl: string): void {
	assertWhole(context, webhookUrl);
	const [service, n8n] = [new URL(baseUrl).host, originOf(webhookUrl)];
	const reach = reachability(baseUrl, webhookUrl);
	if (reach === 'doubtful') {
		context.logger.warn(
			`The form service at ${service} may not reach this n8n at ${n8n}, which is a private address. If no responses arrive: ${SET_WEBHOOK_URL}`,
		);
	}
	if (reach !== 'no') return;
	const message = `The form service at ${service} cannot reach this n8n at ${n8n}, which is a local address. ${SET_WEBHOOK_URL} ${WITHOUT_ADDRESS}`;
	throw new NodeOperationError(context.getNode(), message);
}
