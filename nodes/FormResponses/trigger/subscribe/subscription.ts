import type { IHookFunctions } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { readAuthentication } from '../../parameters';
import { isFault, plainError } from '../../transport/errors';
import { NO_KEY } from '../state/hookKey';
import type { Memory, Removal } from '../state/memory';
import { forget, inTurn, isTriggerHere, ownerOf } from '../state/memory';
import type { Place, Previous, TriggerState } from '../state/triggerState';
import { transitions } from '../state/triggerState';
import { productionState, save, store, storedState } from '../state/storedState';
import { timing } from '../timing';
import type { Attempt } from './attempt';
import { attemptToSubscribe, keepHook } from './attempt';
import { removeHook } from './removeHook';
import { baseUrlOf, isSamePlace, placeOf, webhookUrlOf } from './subscribedPlace';
import { plan, take } from './plannedRemoval';
import { isContinued, isForeign, isStart, nextStartOf } from './whichResponsesCount';
import { listen } from './testListener';

/**
 * Whether a start of n8n finds a subscription that lives: only DELETE and an answer of 410 end a hook
 * (playground/service/openapi.yaml), so nothing is asked. Never throws: n8n would give the trigger up.
 */
export async function resumes(context: IHookFunctions, memory: Memory): Promise<boolean> {
	const mode = context.getActivationMode();
	const state = productionState(context, memory);
	if (context.getMode() === 'manual' || mode === 'activate' || state === undefined) return false;
	const webhookUrl = webhookUrlOf(context);
	const isPolling = readAuthentication(context) === 'apiKey';
	const isAlive = isPolling ? state.status === 'polling' : state.hookId !== undefined;
	// Another main process may have stopped it.
	const states = [state, storedState(context)];
	const isStopped = states.some(
		(one) => one?.status === 'stopped' && one.keyMadeAt === state.keyMadeAt,
	);
	if (!isAlive || isStopped) return false;
	const place = await placeOf(context, webhookUrl).catch(() => undefined);
	if (place === undefined || !isSamePlace(place, state)) return false;
	const guess = isForeign(context, state, webhookUrl)
		? { guessUntil: new Date().toISOString() }
		: {};
	save(context, memory, { ...state, ...guess, ...ownerOf(context) });
	Object.assign(memory, { webhookUrl, isSettled: true, isDue: false });
	return true;
}

/** The running trigger looks for responses, and subscribes when it can. */
function goOn(
	{ context, memory, previous }: Omit<Attempt, 'place'>,
	now: Place | undefined,
	removal: Removal | undefined,
	error: Error,
) {
	context.logger.warn(
		`"${context.getNode().name}" could not be started as usual. It looks for responses, and tries again: ${error.message}`,
	);
	memory.isDue = true;
	// Nobody knows its form.
	if (now === undefined) return;
	const status = readAuthentication(context) === 'apiKey' ? 'polling' : 'subscribed';
	const start = nextStartOf(context, memory, previous, now)(new Date().toISOString());
	const isOfForm = previous?.formId === now.formId;
	const isAlive = isOfForm && (previous.status !== 'stopped' || removal !== undefined);
	const known = isAlive ? previous : { ...now, ...ownerOf(context), ...NO_KEY, hookId: undefined };
	const state = transitions.running({ ...known, ...start, status });
	const hasHook = state.hookId !== undefined && isSamePlace(now, state);
	memory.isDue = status === 'polling' || !hasHook;
	memory.spare = removal?.spare;
	memory.state = state;
	// What is stored for another address is left for a start there.
	if (now.webhookUrl === (previous ?? now).webhookUrl) store(context, state);
	if (previous && !isAlive)
		void removeHook(context, previous, now.webhookUrl, performance.now() + timing.attemptMs);
}

function fail(context: IHookFunctions, memory: Memory, previous: Previous, error: Error): never {
	// Stopped for this publication, not by a person before it.
	const isStoppedForIt =
		previous?.status === 'stopped' && Date.now() < (previous.stoppedAt ?? 0) + timing.subscribingMs;
	if (isStoppedForIt) save(context, memory, transitions.refused(previous, Date.now()));
	// n8n 1 shows only the description of a NodeApiError that fails an activation (its workflow.service.ts).
	if (!(error instanceof NodeApiError)) throw error;
	throw plainError(context.getNode(), error.message);
}

/** What goes on: a spare takes the place of the hook that it was made beside, and that one the place of the spare. */
function bothOf(removal: Removal | undefined): Partial<Removal> {
	const { hook, spare } = removal ?? {};
	const isLater =
		hook !== undefined && spare?.hookId !== undefined && spare.keyMadeAt > hook.keyMadeAt;
	if (!isLater) return { hook, spare };
	const { keyMadeAt, keyHash, hookId, hookMadeAt } = hook;
	return { hook: { ...hook, ...spare }, spare: { keyMadeAt, keyHash, hookId, hookMadeAt } };
}

/** Subscribes, or goes on with the hook that a publication was about to remove. */
async function publish(context: IHookFunctions, memory: Memory): Promise<void> {
	const webhookUrl = webhookUrlOf(context);
	const previous = productionState(context, memory);
	const removal = take(memory);
	const isStarted = isStart(context, memory, previous);
	const endsAt = performance.now() + (isStarted ? timing.startMs : timing.attemptMs);
	Object.assign(memory, { webhookUrl, isDue: false });
	const keep = (state: TriggerState) => save(context, memory, state);
	const attempt = { context, memory, previous, isStart: isStarted, endsAt, save: keep };
	let place: Place | undefined = previous;
	try {
		place = await placeOf(context, webhookUrl);
		const whole = { ...attempt, place };
		const { hook, spare } = bothOf(removal);
		if (hook && (await keepHook(whole, hook))) {
			memory.spare = spare;
			return;
		}
		await attemptToSubscribe(whole);
		if (removal) await removal.begin();
		else if (previous) await removeHook(context, previous, webhookUrl, endsAt);
	} catch (error) {
		// The workflow was published a moment ago, and the service only fails: nothing that ran may end.
		const isGoingOn = place && isContinued(context, memory, previous, place.formId);
		if (isStarted || (isGoingOn && isFault(error as Error)))
			return goOn(attempt, place, removal, error as Error);
		if (removal) plan(memory, removal);
		fail(context, memory, previous, error as Error);
	}
}

/**
 * Subscribes to the form, starts polling, or shows the latest response to the test listener. At a start of n8n,
 * and if the service fails where the workflow was published a moment ago, the trigger runs whatever happens.
 *
 * @throws NodeOperationError, in a test also NodeApiError: only for a person who publishes or tests
 */
export async function subscribe(context: IHookFunctions, memory: Memory): Promise<boolean> {
	if (context.getMode() === 'manual') await listen(context);
	else {
		await inTurn(memory, async () => await publish(context, memory));
		memory.isSettled = true;
	}
	return true;
}

/** Removes the hooks of what was stopped, with the credential that made them. */
function removalOf(context: IHookFunctions, memory: Memory, state: TriggerState) {
	const { spare } = memory;
	const webhookUrl = webhookUrlOf(context);
	memory.spare = undefined;
	const begin = async () => {
		const endsAt = performance.now() + timing.startMs;
		const isGone = await removeHook(context, state, webhookUrl, endsAt);
		if (spare) await removeHook(context, { ...spare, webhookUrl }, webhookUrl, endsAt);
		if (!isGone || memory.state !== state) return;
		memory.state = transitions.hookRemoved(state);
		if (!isTriggerHere(memory)) forget(memory);
	};
	const askN8n = async () => await baseUrlOf(context, 'oAuth2');
	return { hook: state, spare, askN8n, begin };
}

/**
 * Ends the subscription, whatever the parameters are now. The hooks go a moment later, as an update keeps them, and in the
 * background: an error would make the older engine drop all stored state (n8n, active-workflow-manager.ts,
 * deregisterWebhooks).
 */
export async function unsubscribe(context: IHookFunctions, memory: Memory): Promise<boolean> {
	const stored = storedState(context);
	const webhookUrl = webhookUrlOf(context);
	if (stored?.isTest) {
		void removeHook(context, stored, webhookUrl, performance.now() + timing.attemptMs);
		return true;
	}
	// A test that failed has nothing stored.
	if (stored === undefined && webhookUrl !== memory.webhookUrl) return true;
	await inTurn(memory, async () => {
		const state = productionState(context, memory);
		memory.isSettled = false;
		if (state === undefined) return;
		const stopped = transitions.stopped(state, Date.now());
		save(context, memory, stopped);
		if (state.status !== 'stopped') plan(memory, removalOf(context, memory, stopped));
	});
	return true;
}
