import type { IWebhookFunctions } from 'n8n-workflow';
import { optionsOrNone, orDefault, readAuthentication, readFormId } from '../../parameters';
import { responseKey, secondOf } from '../../transport/responseKey';
import { identifiedResponse, isObject } from '../../transport/shapes';
import type { ResponseEnvelope } from '../../transport/types';
import type { Key } from '../state/hookKey';
import { isStored } from '../state/hookKey';
import type { Memory } from '../state/memory';
import type { TriggerState } from '../state/triggerState';
import { productionState, storedState } from '../state/storedState';
import { timing } from '../timing';
import type { Delivery, Misfit } from './statusTable';
import { isSuperfluous } from './statusTable';

const EVENT = 'response.completed';

/** A delivery on its way to a verdict. */
export interface Arrival {
	context: IWebhookFunctions;
	memory: Memory;
	/** Undefined if it is not JSON. */
	body: unknown;
	/** Undefined without a well-formed one. */
	key: Key | undefined;
}

/** The state with the key that n8n has stored, or had when that was youngest: a run may wipe it. */
export function liveStateOf({ context, memory }: Arrival): TriggerState | undefined {
	if (context.getMode() === 'manual') return storedState(context);
	const state = productionState(context, memory);
	if (state && state.keyMadeAt >= (memory.seen?.keyMadeAt ?? 0)) memory.seen = state;
	return memory.seen;
}

/** Whether it is for the node's form, and may count: services have given up what was completed long ago. */
export function countsNow(
	arrival: Arrival,
	{ data }: ResponseEnvelope,
	live = liveStateOf(arrival),
) {
	const formId = orDefault<string | undefined>(() => readFormId(arrival.context), live?.formId);
	const since = live === undefined || live.guessUntil ? '' : live.since;
	const start = Math.max(since ? secondOf(since) : 0, Date.now() - timing.heldMs);
	return {
		isOwnForm: data.formId.toLowerCase() === formId,
		isCurrent: secondOf(data.completedAt) >= start,
	};
}

/** Whether this process took it, or ran it. */
export const isTaken = ({ taken, known }: Memory, envelope: ResponseEnvelope): boolean =>
	taken.has(responseKey(envelope)) || known.has(responseKey(envelope));

/** Whether another hook than that of the live key brings what the live one brings, and has to end. */
function isHookSuperfluous(
	{ memory, key }: Arrival,
	envelope: ResponseEnvelope,
	live: TriggerState | undefined,
): boolean {
	if (key === undefined || live === undefined) return false;
	const byLive = memory.taken.get(responseKey(envelope))?.byLive === true;
	const completedAt = secondOf(envelope.data.completedAt);
	const other = { madeAt: key.madeAt, known: memory.keys.get(key.text), completedAt, byLive };
	return isSuperfluous(other, live, performance.now());
}

function misfitOf(body: unknown): Misfit | undefined {
	if (isObject(body) && body.event !== EVENT) return 'other';
	return identifiedResponse(body) === undefined ? undefined : 'unreadable';
}

/** What is known here of a delivery. */
export function factsOf(arrival: Arrival): Delivery | Misfit {
	const { context, memory, key, body } = arrival;
	const misfit = misfitOf(body);
	if (misfit !== undefined) return misfit;
	const envelope = body as ResponseEnvelope;
	const live = liveStateOf(arrival);
	const name = responseKey(envelope);
	const takenAt = memory.taken.get(name)?.at ?? -Infinity;
	const isTest = context.getMode() === 'manual';
	return {
		isTest,
		// Until a poll has begun, the hook before it delivers.
		isPolling: !isTest && readAuthentication(context) === 'apiKey' && !live?.keyHash,
		...countsNow(arrival, envelope, live),
		isLive: key !== undefined && live !== undefined && isStored(live, key),
		skipsDuplicates: optionsOrNone(context).skipDuplicates !== false,
		isAgain: memory.known.has(name) || takenAt > performance.now() - timing.takenMs,
		isTaken: isTaken(memory, envelope),
		isSuperfluous: isHookSuperfluous(arrival, envelope, live),
	};
}
