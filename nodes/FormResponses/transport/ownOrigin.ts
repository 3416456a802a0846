import { UserError } from 'n8n-workflow';
import type { IHttpRequestOptions, INodeProperties } from 'n8n-workflow';

type AnyRequest = IHttpRequestOptions & { uri?: string };

/**
 * The request, if it goes to the origin of the base URL. n8n's own nodes call its address `uri`.
 *
 * @throws UserError for any other origin
 */
export function toOwnOrigin(baseUrl: string, request: AnyRequest): IHttpRequestOptions {
	const { hostname, origin } = new URL(baseUrl);
	const address = request.url ?? request.uri ?? '';
	if (
		!URL.canParse(address, request.baseURL) ||
		new URL(address, request.baseURL).origin !== origin
	) {
		throw new UserError(
			`This credential is for ${origin} only. Enter a URL of that service, or choose another credential.`,
		);
	}
	return {
		...request,
		allowedDomains: hostname,
		sendCredentialsOnCrossOriginRedirect: false,
		proxy: undefined,
	};
}

/** The origin, and the host in it. n8n's expressions have no `URL`. */
const BASE_URL = String.raw`$self["baseUrl"].match(/^\s*(https?:\/\/(\[[\da-f:.]+\]|[^\s:/\\?#@]+)(?::\d+)?)\//i)`;

/** Where n8n's HTTP Request and GraphQL nodes have URLs, with expressions not yet resolved. */
const URLS = ['url', 'endpoint', 'options?.proxy', 'options?.pagination?.pagination?.nextURL'].map(
	(path) => `$rawParameter.${path}`,
);

/**
 * `none` where a URL of the node does not begin with the own origin, or cannot be judged: to n8n no value is "all".
 * A text with expressions begins with "=". They may come after the origin only, since one can give the credential
 * another value than the node.
 */
const MODE = String.raw`(() => {
	try {
		const urls = [${URLS.join(', ')}].filter(Boolean);
		if (urls.length === 0) return "all";
		const own = ${BASE_URL}[1].toLowerCase() + "/";
		const isOwn = (url) => url.replace(/^=?\s*/, "").toLowerCase().startsWith(own);
		return urls.every(isOwn) ? "domains" : "none";
	} catch {
		return "none";
	}
})()`;

const hidden = (name: string, expression: string): INodeProperties => ({
	displayName: name,
	name,
	type: 'hidden',
	default: `={{ ${expression} }}`,
});

/** What n8n's own nodes go by (n8n-workflow, credential-domain-restrictions.ts). */
export const ownOriginOnly = [
	hidden('allowedHttpRequestDomains', MODE),
	hidden('allowedDomains', `${BASE_URL}?.[2]`),
];
