import { readAuthentication, readPollInterval } from '../../parameters';
import { listResponses } from '../../transport/endpoints';
import { readOnlyIf } from '../onlyIf';
import { laterThan } from '../state/hookKey';
import type { Memory } from '../state/memory';
import { ownerOf } from '../state/memory';
import type { Place, Previous, TriggerState } from '../state/triggerState';
import { transitions } from '../state/triggerState';
import type { HookContext } from './hookContext';
import { open } from './hookContext';
import { makeHook } from './makeHook';
import { isSamePlace } from './subscribedPlace';
import { nextStartOf, pollingStartOf } from './whichResponsesCount';

/** One try to get the responses of a form delivered, or to begin to poll. */
export interface Attempt {
	context: HookContext;
	memory: Memory;
	place: Place;
	previous: Previous;
	/** Whether the trigger runs whatever comes of the attempt. */
	isStart: boolean;
	/** Whether the earlier hook goes on. */
	isSpare?: boolean;
	/** When to give up, in milliseconds. */
	endsAt: number;
	/** Keeps what is known now. */
	save(state: TriggerState): void;
}

/** @throws NodeOperationError, NodeApiError; an earlier subscription is as it was, unless it made room */
export async function attemptToSubscribe(attempt: Attempt): Promise<void> {
	const { context, memory, previous, isStart, endsAt, save } = attempt;
	if (!isStart) readOnlyIf(context);
	const startAt = nextStartOf(context, memory, previous, attempt.place);
	const owner = ownerOf(context);
	if (readAuthentication(context) === 'apiKey') {
		readPollInterval(context);
		const api = await open(context, 'apiKey', endsAt);
		const start = await pollingStartOf(api, startAt, attempt.place.formId);
		const place = { ...attempt.place, baseUrl: api.baseUrl };
		const now = laterThan(previous?.keyMadeAt ?? 0, Date.now());
		return save(transitions.polling(place, owner, start, now));
	}
	const { hook, baseUrl } = await makeHook(attempt);
	const place = { ...attempt.place, baseUrl };
	const now = hook.hookMadeAt ?? new Date().toISOString();
	save(transitions.subscribed(place, owner, hook, startAt(now)));
}

/**
 * Goes on with a hook whose removal was called off, after reading a response, which shows that credential and form are
 * as they should be.
 *
 * @returns false if it is not for the same place
 * @throws NodeOperationError, NodeApiError
 */
export async function keepHook(attempt: Attempt, state: TriggerState): Promise<boolean> {
	const { context, place, isStart, endsAt, save } = attempt;
	if (state.hookId === undefined || !isSamePlace(place, state)) return false;
	if (!isStart) {
		readOnlyIf(context);
		await listResponses(await open(context, 'oAuth2', endsAt), place.formId, 1);
	}
	save(transitions.running({ ...state, status: 'subscribed' }));
	return true;
}
