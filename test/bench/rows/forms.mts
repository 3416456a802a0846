import { formReaders } from '../contestants/read-forms.mts';
import { interleave } from '../interleave.mts';
import { measuresOf, ratio } from '../measures.mts';
import type { Row } from '../row.mts';

const FORMS = 5_000;

export const forms: Row = async ({ stage: open, isQuick, show }) => {
	const stage = await open();
	const { service } = stage;
	await service.reset();
	await service.addForms({ title: 'Form', count: FORMS });
	const readers = await formReaders(stage);
	let requests = 0;
	const values = await interleave(
		{
			'Form Responses': async () => {
				await service.forgetRequests();
				const ms = await readers.node(FORMS);
				requests = (await service.requests()).length;
				return ms;
			},
			'bare loop': () => readers.loop(FORMS),
			'HTTP Request': () => readers.request(FORMS),
		},
		{ runs: isQuick ? 3 : 15, show },
	);
	const { 'Form Responses': node, 'bare loop': loop, 'HTTP Request': request } = values;
	return {
		title: 'All of 5,000 forms',
		how: "Form → Get Many with Return All, 50 pages of 100, against a bare loop over n8n's own request helper and against the HTTP Request node with pagination, all with the same OAuth2 credential; the node's time as n8n notes it.",
		measures: measuresOf(values, 'ms'),
		checks: [
			{ what: 'requests', value: requests, unit: '', bar: { exactly: FORMS / 100 } },
			{ what: 'of the bare loop', value: ratio(node, loop), unit: '×', bar: { atMost: 0.9 } },
			{ what: 'of HTTP Request', value: ratio(node, request), unit: '×', bar: { atMost: 0.45 } },
		],
	};
};
