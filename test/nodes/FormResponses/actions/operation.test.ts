import type { INodeProperties } from 'n8n-workflow';
import { showFor } from '../../../../nodes/FormResponses/actions/operation';

const field: INodeProperties = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	default: 50,
	displayOptions: { show: { returnAll: [false] }, hide: { simplify: [true] } },
};

test('shows a field for one operation only, and keeps its own conditions', () => {
	expect(showFor('form', ['getAll'], [field])).toEqual([
		{
			...field,
			displayOptions: {
				show: { returnAll: [false], resource: ['form'], operation: ['getAll'] },
				hide: { simplify: [true] },
			},
		},
	]);
});

test('leaves the field itself as it is, as others use it too', () => {
	const before = JSON.stringify(field);
	showFor('form', ['getAll'], [field]);
	expect(JSON.stringify(field)).toBe(before);
});
