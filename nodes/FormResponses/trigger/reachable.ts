/** Names and addresses by which only the machine itself, or only its own network, is reached. */
const LOOPBACK = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\])$/i;
const PRIVATE =
	/^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|\[f[cd][0-9a-f]{2}:|\[fe80:|[^.:]+$|.*\.(internal|local|lan|home\.arpa)$)/i;

type Reach = 'machine' | 'network' | 'internet';

function reachOf(host: string): Reach {
	if (LOOPBACK.test(host)) return 'machine';
	return PRIVATE.test(host) ? 'network' : 'internet';
}

/** Whether a service at `baseUrl` can be expected to reach n8n at `webhookUrl`. */
export function canReach(baseUrl: string, webhookUrl: string): boolean {
	const service = reachOf(new URL(baseUrl).hostname);
	const n8n = reachOf(new URL(webhookUrl).hostname);
	return n8n === 'internet' || n8n === service || (n8n === 'network' && service === 'machine');
}
