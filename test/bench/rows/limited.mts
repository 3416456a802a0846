import { nodeGetter, requestGetter } from '../contestants/get-responses.mts';
import type { Getter } from '../contestants/get-responses.mts';
import { interleave } from '../interleave.mts';
import { measuresOf } from '../measures.mts';
import type { Row } from '../row.mts';
import { median } from '../statistics.mts';
import { addResponses } from '../stage/service.mts';

const RESPONSES = 1_000;
const LIMIT = { perSecond: 100, burst: 20 };
/** No client can be faster: the burst at once, the others as they are allowed. */
const LEAST_MS = ((RESPONSES - LIMIT.burst) / LIMIT.perSecond) * 1_000;
/** A steady pace below the limit, which is refused nothing; not searched for the fastest. */
const STEADY = { batchSize: 10, batchInterval: 110 };

export const limited: Row = async ({ stage: open, isQuick, show }) => {
	const stage = await open();
	const { service } = stage;
	await service.reset();
	const ids = (await addResponses(service, RESPONSES)).map(({ data }) => data.responseId);
	const standard = await nodeGetter(stage, 'oAuth2');
	const atOnce = await requestGetter(stage, 'oAuth2');
	const batched = await requestGetter(stage, 'oAuth2', STEADY);
	/** A change of settings fills the service's allowance again. */
	const refill = async () =>
		await service.settings({ latencyMs: 50, rateLimit: LIMIT, retryAfterSeconds: 1 });

	await refill();
	const { error: refusal = 'it succeeded' } = await atOnce(ids);
	show(`HTTP Request, all at once: ${refusal}`);
	let fewest = RESPONSES;
	const timed = (get: Getter, isNode: boolean) => async () => {
		await refill();
		const { ms, items, error } = await get(ids);
		if (isNode) fewest = Math.min(fewest, error === undefined ? items : 0);
		else if (error !== undefined) throw new Error(`The batches failed: ${error}`);
		return ms;
	};
	const values = await interleave(
		{
			'Form Responses': timed(standard, true),
			'HTTP Request, 10 every 110 ms': timed(batched, false),
		},
		{ runs: isQuick ? 1 : 5, show },
	);
	const node = values['Form Responses'];
	return {
		title: '1,000 responses by ID, service limited to 100 per second, burst 20',
		how: `Response → Get for 1,000 items with default settings, refusals with \`Retry-After: 1\`; no client can take less than ${LEAST_MS / 1_000} s. The HTTP Request node sending all at once ends in "${refusal}".`,
		measures: measuresOf(values, 'ms'),
		checks: [
			{ what: 'of the limit', value: median(node) / LEAST_MS, unit: '×', bar: { atMost: 1.1 } },
			{ what: 'fewest responses of a run', value: fewest, unit: '', bar: { exactly: RESPONSES } },
		],
	};
};
