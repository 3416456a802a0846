import { readAuthentication, readPollInterval } from '../../parameters';
import { createHook, listResponses } from '../../transport/endpoints';
import { isAllowanceError, isAnswerLost, mayBeDone } from '../../transport/errors';
import type { Api, Hook } from '../../transport/types';
import { readOnlyIf } from '../onlyIf';
import { laterThan, newKey, stored, withKey } from '../state/key';
import type { Memory } from '../state/memory';
import { ownerOf } from '../state/memory';
import type { LiveHook, Place, Previous, TriggerState } from '../state/state';
import { transitions } from '../state/state';
import type { HookContext } from './hooks';
import { assertReachable, open, tryToRemoveHook } from './hooks';
import { isSamePlace } from './place';
import { nextStartOf, pollingStartOf } from './start';

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

/** When a hook was made: what the service says of it is not later than its answer. */
const madeAtOf = ({ createdAt }: Hook, api: Api): string =>
	new Date(Math.min(Date.parse(createdAt), api.answeredAt() ?? Infinity)).toISOString();

/** Creates a hook beside the earlier one, unless the allowance requires its removal first. */
async function makeHook(attempt: Attempt, api: Api, secrets: string[]): Promise<LiveHook> {
	const { context, memory, place, previous, isStart, isSpare, endsAt } = attempt;
	let made: LiveHook;
	const create = async (): Promise<LiveHook> => {
		const key = newKey(Date.now(), Math.max(memory.keyMadeAt, previous?.keyMadeAt ?? 0));
		memory.keyMadeAt = key.madeAt;
		secrets.push(key.text);
		made = stored(key);
		const hook = await createHook(api, place.formId, withKey(place.webhookUrl, key));
		return { ...made, hookId: hook.id, hookMadeAt: madeAtOf(hook, api) };
	};
	// Who publishes is told. Otherwise no more are made: looks tell whether this one brings anything.
	const orMade = (error: Error) => {
		if (!isStart || !mayBeDone(error)) throw error;
		context.logger.warn(error.message);
		return made;
	};
	try {
		return await create();
	} catch (error) {
		// Only the hook that is known tells by its key that the other one is superfluous.
		const isAgain = isAnswerLost(error as Error) && performance.now() < endsAt;
		if (isAgain) return await create().catch(orMade);
		if (mayBeDone(error as Error)) return orMade(error as Error);
		const hookId = previous?.webhookUrl === place.webhookUrl ? previous.hookId : undefined;
		const mayMakeRoom = hookId !== undefined && !isSpare && isAllowanceError(error as Error);
		if (!mayMakeRoom || !(await tryToRemoveHook(context, hookId, endsAt))) throw error as Error;
		attempt.save(transitions.hookRemoved(previous!));
		return await create();
	}
}

/** @throws NodeOperationError, NodeApiError */
export async function newHook(attempt: Attempt) {
	const { context, place, endsAt } = attempt;
	const secrets: string[] = [];
	const api = await open(context, 'oAuth2', endsAt, secrets);
	assertReachable(context, api.baseUrl, place.webhookUrl);
	return { hook: await makeHook(attempt, api, secrets), baseUrl: api.baseUrl };
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
	const { hook, baseUrl } = await newHook(attempt);
	const place = { ...attempt.place, baseUrl };
	const now = hook.hookMadeAt ?? new Date(Date.now()).toISOString();
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
	if (readAuthentication(context) === 'apiKey') return false;
	if (!isStart) {
		readOnlyIf(context);
		const api = await open(context, 'oAuth2', endsAt);
		assertReachable(context, api.baseUrl, place.webhookUrl);
		await listResponses(api, place.formId, 1);
	}
	save(transitions.running({ ...state, status: 'subscribed' }));
	return true;
}
