import { redact } from './redact';
import { isObject } from './shapes';
import type { Outcome } from './types';

/** Characters. A longer quote would hide the rest of the message. */
const MAX_QUOTE = 500;

/** Puts foreign text on one line, without secrets, and shortens it. */
export function quoted(text: string, secrets: string[]): string {
	const line = redact(text, secrets)
		.replace(/[\s\p{Cc}]+/gu, ' ')
		.trim();
	return line.length > MAX_QUOTE ? `${line.slice(0, MAX_QUOTE - 1)}…` : line;
}

type ErrorBody = Record<'code' | 'message' | 'hint' | 'docs', string>;

/** Reads the documented fields of an error; '' for missing ones. */
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
