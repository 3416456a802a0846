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
			`This credential is for ${origin} only. Set a URL there, or choose the credential of the other service.`,
		);
	}
	return {
		...request,
		allowedDomains: hostname,
		sendCredentialsOnCrossOriginRedirect: false,
		proxy: undefined,
	};
}

/** The origin, and the host in it. There is no `URL` in n8n's expressions. */
const BASE_URL = String.raw`$self["baseUrl"].match(/^\s*(https?:\/\/(\[[\da-f:.]+\]|[^\s:/\\?#@]+)(?::\d+)?)\//i)`;

/** What holds a URL in n8n's HTTP Request and GraphQL nodes, before expressions in it are resolved. */
const URLS =
	'$rawParameter["url"], $rawParameter["endpoint"], $rawParameter["options"]?.proxy, $rawParameter["options"]?.pagination?.pagination?.nextURL';

/**
 * `none` where a URL of the node does not begin with the origin. What fails has to say `none` too: n8n takes no
 * value for "all". The "=" marks a text with expressions, which may come after the origin only, as they can
 * give the node another value than the credential.
 */
const MODE = String.raw`(() => {
	try {
		const own = ${BASE_URL}[1].toLowerCase() + "/";
		const isOwn = (url) => url.replace(/^=?\s*/, "").toLowerCase().startsWith(own);
		return [${URLS}].filter(Boolean).every(isOwn) ? "domains" : "none";
	} catch {
		return "none";
	}
})()`;

const hidden = (name: string, value: string): INodeProperties => ({
	displayName: name,
	name,
	type: 'hidden',
	default: value,
});

const allowedDomains = hidden('allowedDomains', `={{ ${BASE_URL}?.[2] }}`);

/** What n8n goes by in its own nodes (n8n-workflow, credential-domain-restrictions.ts). */
export const ownHostOnly = [hidden('allowedHttpRequestDomains', 'domains'), allowedDomains];
export const ownOriginOnly = [
	hidden('allowedHttpRequestDomains', `={{ ${MODE} }}`),
	allowedDomains,
];
