import { parse } from 'node-html-parser';
import { request } from './cookies.mts';
import type { Session } from './session.mts';

interface ConsentForm {
	action: string;
	method: string;
	fields: URLSearchParams;
}

/** What a click on the page's "Allow" button sends. */
function allowForm(html: string): ConsentForm | undefined {
	for (const form of parse(html).querySelectorAll('form')) {
		const allow = form.querySelectorAll('button').find(({ text }) => /\ballow\b/i.test(text));
		if (!allow) continue;
		const fields = new URLSearchParams();
		for (const element of [...form.querySelectorAll('input'), allow]) {
			const name = element.getAttribute('name');
			if (name !== undefined) fields.append(name, element.getAttribute('value') ?? '');
		}
		const method = form.getAttribute('method')?.toUpperCase() ?? 'GET';
		return { action: form.getAttribute('action') ?? '', method, fields };
	}
	return undefined;
}

/** What n8n's callback page complains about. */
function problemOn(callbackPage: string): string | undefined {
	const [, problem] =
		/^Error: (.*)$/s.exec(parse(callbackPage).querySelector('h4')?.text ?? '') ?? [];
	return problem?.trim();
}

/**
 * Walks from n8n's authorization URL through the service's consent page back to n8n's callback,
 * as a browser would. Resolves to n8n's complaint, if it has one.
 */
export async function consent(session: Session, authorizationUrl: string) {
	let url = new URL(authorizationUrl);
	let sent: RequestInit = {};
	for (let steps = 0; steps < 10; steps++) {
		const isCallback = url.origin === new URL(session.url).origin;
		const answer = await request(session.cookies, url.href, { ...sent, redirect: 'manual' });
		const page = await answer.text();
		const location = answer.headers.get('location');
		if (location) {
			url = new URL(location, url);
			sent = {};
		} else if (isCallback) {
			return answer.ok ? problemOn(page) : `the callback was answered with ${answer.status}`;
		} else {
			const form = answer.ok ? allowForm(page) : undefined;
			if (!form) {
				return `${url.origin}${url.pathname} answered ${answer.status} without an Allow button`;
			}
			url = new URL(form.action || url, url);
			sent = { method: form.method, body: form.fields };
		}
	}
	return 'the consent page went round in circles';
}
