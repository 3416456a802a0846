import type * as N8nWorkflow from 'n8n-workflow';
import { realTime } from '../kit/turn';

const actual = jest.requireActual<typeof N8nWorkflow>('n8n-workflow');

// n8n gives a regular expression a quarter of a second, which is little on a busy machine.
actual.setSafeRegexEngine({
	exec: (pattern, input, flags) => new RegExp(pattern, flags).exec(input),
	test: (pattern, input, flags) => new RegExp(pattern, flags).test(input),
	replace: (pattern, input, flags, text) => input.replace(new RegExp(pattern, flags), text),
	matchAll: (pattern, input, flags) => [...input.matchAll(new RegExp(pattern, `g${flags ?? ''}`))],
	split: (pattern, input, flags) => input.split(new RegExp(pattern, flags)),
});

/** A wait that goes on after its test must not keep Jest from ending. */
const sleep = async (ms: number) => await realTime(ms, undefined, { ref: false });

/** n8n's own module as an object, in which `jest.spyOn` may replace functions. */
module.exports = { ...actual, sleep, __esModule: true };
