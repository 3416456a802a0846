import { interleave } from '../interleave.mts';
import { measuresOf, ratio } from '../measures.mts';
import type { Bench, RowResult } from '../row.mts';
import type { Stage } from '../stage/stage.mts';
import { bare, deliver, subscribed } from './receive-deliveries.mts';
import { addResponses } from '../stage/service.mts';

/** More than two workers together remember; only then does the trigger's store cost what it costs for good. */
const FILLS_MEMORY = 600;

/** How many deliveries a second run with the node's trigger, and with one that does nothing else. */
export async function compareTriggers(
	stage: Stage,
	{ isQuick, show }: Pick<Bench, 'isQuick' | 'show'>,
	atLeast: number,
): Promise<Omit<RowResult, 'title'>> {
	const { service } = stage;
	await service.reset();
	const [envelope] = await addResponses(service, 1);
	const skipping = await subscribed(stage, envelope.data.formId);
	const passingOn = await bare(stage);
	const count = isQuick ? 100 : 200;
	if (!isQuick) {
		show(`filling the memory with ${FILLS_MEMORY} responses`);
		await deliver(stage, skipping, envelope, FILLS_MEMORY);
	}
	const values = await interleave(
		{
			'Form Responses Trigger': () => deliver(stage, skipping, envelope, count),
			'bare trigger': () => deliver(stage, passingOn, envelope, count),
		},
		{ runs: isQuick ? 2 : 15, show },
	);
	return {
		how: `${count} deliveries, 10 at once, from the first one sent to the end of the last execution, against a trigger that only passes data on (not n8n's own Webhook node, which n8n treats specially). Duplicates are skipped; ${FILLS_MEMORY} deliveries before have filled the trigger's memory.`,
		measures: measuresOf(values, 'per second'),
		checks: [
			{
				what: 'of the bare trigger',
				value: ratio(values['Form Responses Trigger'], values['bare trigger']),
				unit: '×',
				bar: { atLeast },
			},
		],
	};
}
