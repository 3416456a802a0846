import { redact } from './redact';
import { isObject } from './shapes';
import type { Outcome } from './types';

/** What a message may quote: a page of text would hide the rest of it. */
const MAX_QUOTE = 500;

/** The words of others, in one line and without secrets. */
export function quoted(text: string, secrets: string[]): string {
	const line = redact(text, secrets)
		.replace(/[\s\p{Cc}]+/gu, ' ')
		.trim();
	return line.length > MAX_QUOTE ? `${line.slice(0, MAX_QUOTE - 1)}…` : line;
}

type ErrorBody = Record<'code' | 'message' | 'hint' | 'docs', string>;

/** The documented body of an error; a text is empty where the service does not give it. */
export function errorBodyOf(outcome: Outcome, secrets: string[]): ErrorBody {
	const body = outcome.kind === 'answer' && isObject(outcome.body) ? outcome.body : {};
	const text = (key: string) => (typeof body[key] === 'string' ? quoted(body[key], secrets) : '');
	return {
		code: text('code'),
		message: text('message') || text('error'),
		hint: text('hint'),
		docs: text('docs'),
	};
}
