import { UserError } from 'n8n-workflow';

const RULE =
	'The Base URL of the credential must be an http or https address that ends in /api/v1, for example https://forms.example.com/api/v1.';

/** Said where an expression has no value. */
export const NO_ITEM = 'An expression of an item works in Form Responses only, with an API key.';

/**
 * Returns the base URL without surrounding blanks and trailing slashes.
 *
 * @throws UserError if the URL is invalid
 */
export function assertBaseUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	const url = URL.canParse(text) ? new URL(text) : undefined;
	const path = url?.pathname.replace(/\/+$/, '') ?? '';
	const isPlain = !/[?#]/.test(text) && !url?.username && !url?.password;
	const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:';
	if (url && isHttp && isPlain && path.endsWith('/api/v1')) return url.origin + path;
	throw new UserError(text === '' ? `${RULE} It is empty. ${NO_ITEM}` : RULE);
}
