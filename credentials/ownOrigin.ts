import { UserError } from 'n8n-workflow';
import type { IHttpRequestOptions, INodeProperties } from 'n8n-workflow';

type AnyRequest = IHttpRequestOptions & { uri?: string };

/**
 * Restricts a request to the origin of the base URL. n8n's own nodes pass the address as `uri`.
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

/** Captures origin and host; n8n's expressions lack `URL`. */
const BASE_URL = String.raw`$self["baseUrl"].match(/^\s*(https?:\/\/(\[[\da-f:.]+\]|[^\s:/\\?#@]+)(?::\d+)?)\//i)`;

/** The URL parameters of n8n's HTTP Request and GraphQL nodes, with unresolved expressions. */
const URLS = ['url', 'endpoint', 'options?.proxy', 'options?.pagination?.pagination?.nextURL'].map(
	(path) => `$rawParameter.${path}`,
);

/**
 * Gives `none` if a URL is foreign or cannot be checked, because n8n reads a missing value as "all".
 * Expressions begin with "=". They may follow the origin only, since an expression can resolve differently for
 * the credential and the node.
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

/** The fields that n8n's own nodes check (n8n-workflow, credential-domain-restrictions.ts). */
export const ownOriginOnly = [
	hidden('allowedHttpRequestDomains', MODE),
	hidden('allowedDomains', `${BASE_URL}?.[2]`),
];
