import { bare, deliver, subscribed } from '../contestants/receive-deliveries.mts';
import { interleave } from '../interleave.mts';
import { measuresOf, ratio } from '../measures.mts';
import type { Row } from '../row.mts';

/** More responses than the trigger remembers; only then does its store cost what it costs for good. */
const FILLS_MEMORY = 1_000;

export const deliveries: Row = async ({ stage: open, isQuick, show }) => {
	const stage = await open();
	const { service } = stage;
	await service.reset();
	const [envelope] = await service.addResponses(1);
	const { formId } = envelope!.data;
	const skipping = await subscribed(stage, formId);
	const passingOn = await bare(stage);
	const count = isQuick ? 100 : 200;
	if (!isQuick) {
		show(`filling the memory with ${FILLS_MEMORY} responses`);
		await deliver(stage, skipping, envelope!, FILLS_MEMORY);
	}
	const values = await interleave(
		{
			'Form Responses Trigger': () => deliver(stage, skipping, envelope!, count),
			'bare trigger': () => deliver(stage, passingOn, envelope!, count),
		},
		{ runs: isQuick ? 2 : 7, show },
	);
	return {
		title: 'Deliveries per second',
		how: `${count} deliveries, 10 at once, from the first one sent to the end of the last execution, against a trigger that only passes data on (not n8n's own Webhook node, which n8n treats specially). Duplicates are skipped; 1,000 deliveries before have filled the trigger's memory.`,
		measures: measuresOf(values, 'per second'),
		checks: [
			{
				what: 'of the bare trigger',
				value: ratio(values['Form Responses Trigger'], values['bare trigger']),
				unit: '×',
				bar: { atLeast: 0.95 },
			},
		],
	};
};
