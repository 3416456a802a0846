import { NodeOperationError } from 'n8n-workflow';
import type { HookContext } from './hooks';
import type { Place } from './state';

/** Hosts that only the machine itself, or its own network, can reach. */
const LOOPBACK = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/i;
const PRIVATE =
	/^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|\[f[cd][0-9a-f]{2}:|\[fe80:|[^.:]+$|.*\.(internal|local|lan|home\.arpa)$)/i;

type Reach = 'machine' | 'network' | 'internet';

function reachOf(url: string): Reach {
	const { hostname } = new URL(url);
	if (LOOPBACK.test(hostname)) return 'machine';
	return PRIVATE.test(hostname) ? 'network' : 'internet';
}

/**
 * Whether a service at `baseUrl` can reach n8n at `webhookUrl`. Private addresses are doubtful, because one
 * private network looks like another.
 */
export function reachability(baseUrl: string, webhookUrl: string): 'yes' | 'doubtful' | 'no' {
	const service = reachOf(baseUrl);
	const n8n = reachOf(webhookUrl);
	if (n8n === 'machine') return service === 'machine' ? 'yes' : 'no';
	return n8n === 'network' && service === 'internet' ? 'doubtful' : 'yes';
}

/** @throws NodeOperationError if the service cannot reach this n8n */
export function assertReachable(context: HookContext, { baseUrl, webhookUrl }: Place): void {
	const reach = reachability(baseUrl, webhookUrl);
	const [service, n8n] = [new URL(baseUrl).host, new URL(webhookUrl).origin];
	const fix =
		'Set the environment variable WEBHOOK_URL of n8n to its public address and restart n8n.';
	if (reach === 'doubtful') {
		context.logger.warn(
			`The form service at ${service} may not reach this n8n at ${n8n}, which is a private address. If no responses arrive: ${fix}`,
		);
	}
	if (reach === 'no') {
		const message = `The form service at ${service} cannot reach this n8n at ${n8n}, which is a local address. ${fix}`;
		throw new NodeOperationError(context.getNode(), message);
	}
}
