import type { CronExpression, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { randomInt, sleep } from 'n8n-workflow';
import { readAuthentication, readWholeNumber } from '../parameters';
import { keyOf } from '../processed';
import { listResponses, MAX_RESPONSES } from '../transport/endpoints';
import { connect } from '../transport/request';
import type { ResponseEnvelope } from '../transport/types';
import { handedOver, handOver } from './handedOver';
import type { SubscriptionState } from './state';
import { isLive, isSubscribed, productionState } from './state';

/** n8n's activation engines call `trigger` and `create` in different orders, so recovery lets both end. */
const SETTLING_MS = 3_000;
/** n8n gives up on `create` after 84 seconds. */
const SUBSCRIBING_MS = 90_000;
const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 5 * 60_000;

/** Of the newest responses those that are the node's business, oldest first. */
export function missedOf(
	newest: ResponseEnvelope[],
	{ since, old }: Pick<SubscriptionState, 'since' | 'old'>,
	given: Pick<Set<string>, 'has'>,
): ResponseEnvelope[] {
	const sinceTime = since ? Date.parse(since) : -Infinity;
	const isMissed = (envelope: ResponseEnvelope) =>
		Date.parse(envelope.data.completedAt) >= sinceTime &&
		!old.includes(envelope.data.responseId) &&
		!given.has(keyOf(envelope));
	return newest.filter(isMissed).reverse();
}

/** At a second, or minute, of the node's own, so that not all nodes ask at the same time. */
const everyMinute = () => `${randomInt(60)} * * * * *` as CronExpression;
const everyHour = () => `${randomInt(60)} ${randomInt(60)} * * * *` as CronExpression;

/**
 * Brings back what was not delivered: shortly after each activation and each start of n8n, and once an
 * hour, should a delivery have failed meanwhile. With an API key, which cannot subscribe, at the
 * interval that the user chose.
 */
export async function recover(context: ITriggerFunctions): Promise<ITriggerResponse> {
	// A test listener gets its response by its own webhook.
	if (context.getMode() === 'manual') return {};

	const authentication = readAuthentication(context);
	const given = handedOver(context);
	let isClosed = false;
	let isFailing = false;
	let isUnderWay = false;

	async function settle() {
		await sleep(SETTLING_MS);
		const giveUpAt = Date.now() + SUBSCRIBING_MS;
		while (!isClosed && !isSubscribed(context) && Date.now() < giveUpAt) await sleep(1_000);
	}

	async function pass(state: SubscriptionState) {
		const api = await connect(context, { authentication });
		const newest = await listResponses(api, state.formId, MAX_RESPONSES);
		const missed = missedOf(newest, state, given);
		if (missed.length === 0 || isClosed) return;
		missed.forEach((envelope) => given.add(keyOf(envelope)));
		context.emit([missed.map((envelope) => handOver(envelope, true))]);
	}

	/** @returns whether the responses could be read */
	async function tryPass(): Promise<boolean> {
		const state = productionState(context);
		if (isClosed || isUnderWay || state === undefined || !isLive(state)) return true;
		isUnderWay = true;
		try {
			await pass(state);
			isFailing = false;
		} catch (error) {
			// Once for each spell of failures, or a service that is down would fill the log.
			if (!isFailing) {
				context.logger.warn(
					`"${context.getNode().name}" could not read the latest responses and tries again: ${(error as Error).message}`,
				);
			}
			isFailing = true;
		} finally {
			isUnderWay = false;
		}
		return !isFailing;
	}

	async function recoverOnce() {
		await settle();
		for (
			let wait = FIRST_RETRY_MS;
			!(await tryPass());
			wait = Math.min(LONGEST_RETRY_MS, wait * 2)
		) {
			await sleep(wait);
		}
	}

	if (authentication === 'apiKey') {
		const range = { min: 1, max: Infinity };
		const interval = readWholeNumber(context, 'pollInterval', 'Poll Interval', range);
		let minutes = 0;
		context.helpers.registerCron({ expression: everyMinute() }, () => {
			minutes++;
			if (minutes % interval === 0) void tryPass();
		});
	} else {
		context.helpers.registerCron({ expression: everyHour() }, () => void tryPass());
	}
	void recoverOnce();
	return {
		closeFunction: async () => {
			isClosed = true;
		},
	};
}
