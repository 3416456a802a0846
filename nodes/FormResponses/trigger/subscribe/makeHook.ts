import { createHook } from '../../transport/endpoints';
import { isAllowanceError, isAnswerLost, mayBeDone } from '../../transport/errors';
import type { Api, Hook } from '../../transport/types';
import { newKey, stored, withKey } from '../state/hookKey';
import type { LiveHook } from '../state/triggerState';
import { transitions } from '../state/triggerState';
import type { Attempt } from './attempt';
import { open } from './hookContext';
import { assertReachable } from './ownAddress';
import { tryToRemoveHook } from './removeHook';

/** When a hook was made: what the service says of it is not later than its answer. */
const madeAtOf = ({ createdAt }: Hook, api: Api): string =>
	new Date(Math.min(Date.parse(createdAt), api.answeredAt() ?? Infinity)).toISOString();

/** Creates a hook beside the earlier one, unless the allowance requires its removal first. */
async function makeBesideEarlier(attempt: Attempt, api: Api, secrets: string[]): Promise<LiveHook> {
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
		const hookId = previous?.webhookUrl === place.webhookUrl ? previous.hookId : undefined;
		const mayMakeRoom = hookId !== undefined && !isSpare && isAllowanceError(error as Error);
		if (!mayMakeRoom || !(await tryToRemoveHook(context, hookId, endsAt)))
			return orMade(error as Error);
		attempt.save(transitions.hookRemoved(previous!));
		return await create();
	}
}

/** @throws NodeOperationError, NodeApiError */
export async function makeHook(attempt: Attempt) {
	const { context, place, endsAt } = attempt;
	const secrets: string[] = [];
	const api = await open(context, 'oAuth2', endsAt, secrets);
	assertReachable(context, api.baseUrl, place.webhookUrl);
	return { hook: await makeBesideEarlier(attempt, api, secrets), baseUrl: api.baseUrl };
}
