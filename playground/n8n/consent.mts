import { cookieJar } from './cookies.mts';
import type { Session } from './session.mts';

interface ConsentForm {
	action: string;
	method: string;
	fields: URLSearchParams;
}

function attribute(tag: string, name: string): string | undefined {
	const value = new RegExp(`\\s${name}\\s*=\\s*"([^"]*)"`, 'i').exec(tag)?.[1];
	return value
		?.replaceAll('&quot;', '"')
		.replaceAll('&#39;', "'")
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&amp;', '&');
}

/** What a click on the page's "Allow" button sends. */
function allowForm(html: string): ConsentForm | undefined {
	for (const [, head = '', body = ''] of html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gis)) {
		const buttons = [...body.matchAll(/<button\b([^>]*)>(.*?)<\/button>/gis)];
		const allow = buttons.find(([, , text = '']) => /\ballow\b/i.test(text));
		if (!allow) continue;
		const sent = [...body.matchAll(/<input\b([^>]*)>/gis), allow].flatMap<[string, string]>(
			([, tag = '']) => {
				const name = attribute(tag, 'name');
				return name === undefined ? [] : [[name, attribute(tag, 'value') ?? '']];
			},
		);
		return {
			action: attribute(head, 'action') ?? '',
			method: attribute(head, 'method')?.toUpperCase() ?? 'GET',
			fields: new URLSearchParams(sent),
		};
	}
	return undefined;
}

function problemOn(callbackPage: string): string | undefined {
	return /<h4>Error: (.*?)<\/h4>/s.exec(callbackPage)?.[1]?.trim();
}

/**
 * Walks from n8n's authorization URL through the service's consent page back to n8n's callback,
 * as a browser would. Resolves to n8n's complaint, if it has one.
 */
export async function consent(session: Session, authorizationUrl: string) {
	const serviceCookies = cookieJar();
	let url = new URL(authorizationUrl);
	let request: RequestInit = {};
	for (let steps = 0; steps < 10; steps++) {
		const isCallback = url.origin === new URL(session.url).origin;
		const cookies = isCallback ? session.cookies : serviceCookies;
		const answer = await fetch(url, { ...request, headers: cookies.header(), redirect: 'manual' });
		cookies.keepFrom(answer);
		const page = await answer.text();
		const location = answer.headers.get('location');
		if (location) {
			url = new URL(location, url);
			request = {};
		} else if (isCallback) {
			return answer.ok ? problemOn(page) : `the callback was answered with ${answer.status}`;
		} else {
			const form = answer.ok ? allowForm(page) : undefined;
			if (!form) {
				return `${url.origin}${url.pathname} answered ${answer.status} without an Allow button`;
			}
			url = new URL(form.action || url, url);
			request = { method: form.method, body: form.fields };
		}
	}
	return 'the consent page went round in circles';
}
