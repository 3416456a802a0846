/** A target URL holds the subscriber's secret in its query, and sometimes credentials. */
export function maskedUrl(targetUrl: string): string {
	const url = URL.parse(targetUrl);
	if (!url) return 'not a URL';
	return `${url.protocol}//${url.host}${url.pathname}${url.search ? '?…' : ''}`;
}
