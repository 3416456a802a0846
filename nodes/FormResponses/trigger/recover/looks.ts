import type { ITriggerFunctions } from 'n8n-workflow';
import { orDefault, readAuthentication, readPollInterval } from '../../parameters';
import { listLatest, MAX_RESPONSES } from '../../transport/endpoints';
import { connect } from '../../transport/connect';
import { responseKey } from '../../transport/responseKey';
import type { ResponseEnvelope } from '../../transport/types';
import { isWanted, unknownQuestion } from '../onlyIf';
import type { Memory } from '../state/memory';
import type { TriggerState } from '../state/triggerState';
import { timing } from '../timing';
import type { Emission } from './emission';
import { tellFailure } from './failure';
import { decide } from './missedResponses';
import type { Outage } from './outage';
import { halfAPageMs, lookInterval, TICK_MS, ticks, untilNextLookMs } from './lookInterval';

/** The API may leave out questions without an answer, so fewer responses tell nothing. */
const ENOUGH = 10;
const CORRECT = 'Correct the question of the condition. The workflow stays published.';

/** Undefined with a hook. An interval that cannot be read does not end the trigger: `create` tells it. */
function pollMsOf(context: ITriggerFunctions): number | undefined {
	if (readAuthentication(context) !== 'apiKey') return undefined;
	return orDefault(() => TICK_MS * readPollInterval(context), timing.longestRetryMs);
}

interface LooksOptions {
	context: ITriggerFunctions;
	memory: Memory;
	emission: Emission;
	outage: Outage;
	/** The running subscription; undefined if there is none. */
	stateNow: () => TriggerState | undefined;
}

/** Reads the newest responses, and has those emitted that nobody has. */
function createReader({ context, memory, emission }: LooksOptions) {
	const pollMs = pollMsOf(context);
	let newestKeys: string[] = [];
	let [looks, isTold] = [0, false];

	/** Once, as conditions that no response can meet leave out everything in silence. */
	function tellUnknownQuestion(responses: ResponseEnvelope[]) {
		if (isTold || responses.length < ENOUGH) return;
		const message = unknownQuestion(context, responses);
		isTold = message !== undefined;
		if (message) tellFailure(context, `"Only If": ${message}`, CORRECT);
	}

	return {
		async read(state: TriggerState) {
			const { guessUntil, status } = state;
			const authentication = readAuthentication(context);
			const api = await connect(context, { authentication, maxWaitMs: timing.longestRetryMs });
			const { responses, isFull } = await listLatest(api, state.formId, MAX_RESPONSES);
			const about = { isPolling: status === 'polling', isFirst: looks++ === 0, guessUntil };
			const { missed, isOldestShown, isOverrun } = decide({
				...{ newest: responses, isFull, before: newestKeys, start: state, ...about },
				isWanted: (one) => isWanted(context, one),
				isHandled: (key) => memory.known.has(key) || emission.isPending(key),
			});
			newestKeys = responses.map(responseKey);
			tellUnknownQuestion(responses);
			emission.add(missed, { now: Date.now(), isOldestShown, ...about });
			if (isOverrun) {
				const { name } = context.getNode();
				context.logger.warn(`"${name}": more responses came than the API shows.`);
			}
		},
		/** Milliseconds between looks. */
		interval: () => pollMs ?? lookInterval(halfAPageMs([...newestKeys, ...memory.known]), looks),
	};
}

/** Looks for what was missed, one look at a time. */
export function createLooks(options: LooksOptions) {
	const { outage, stateNow } = options;
	const reader = createReader(options);
	let [isLooking, failures, ticksSinceLook, lookedAt] = [false, 0, 0, -Infinity];

	return {
		/** How many failed in a row. */
		failures: () => failures,
		async look() {
			const state = stateNow();
			if (isLooking || state === undefined) return;
			[isLooking, ticksSinceLook, lookedAt] = [true, 0, performance.now()];
			try {
				await reader.read(state);
				failures = 0;
				outage.worked();
			} catch (error) {
				failures++;
				outage.failed(error as Error);
			} finally {
				isLooking = false;
			}
		},
		/** Counts a minute, unless it began before the look. @returns whether to look */
		tick() {
			if (performance.now() - lookedAt >= TICK_MS / 2) ticksSinceLook++;
			return ticksSinceLook >= ticks(untilNextLookMs(failures, reader.interval()));
		},
	};
}
