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
