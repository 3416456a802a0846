import type { IDataObject } from 'n8n-workflow';
import { isToldInItem } from '../../../../../nodes/FormResponses/trigger/oldestResponseWarning';
import { aTriggerContext } from '../../../kit/trigger';
import { aWorkflow } from './trigger.fixture';

const without = { options: { include: ['responseId'] } };

test.each<[boolean, string, IDataObject]>([
	[true, 'unless somebody left it out', {}],
	[false, 'where somebody left it out', without],
	[true, 'in a response as the API sent it', { ...without, simplify: false }],
	[true, 'where n8n evaluates no expression any more', { options: { include: '={{ [] }}' } }],
])('an item has the warning (%s) %s', (isTold, _, parameters) => {
	const { context, endCall } = aTriggerContext(aWorkflow(parameters));
	endCall();
	expect(isToldInItem(context)).toBe(isTold);
});
