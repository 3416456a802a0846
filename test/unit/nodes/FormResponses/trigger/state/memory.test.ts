import { emptyMemory, forget } from '../../../../../../nodes/FormResponses/trigger/state/memory';

test('the responses of a node are forgotten, its subscription is not', () => {
	const memory = { ...emptyMemory(), webhookUrl: 'https://n8n.example.com/webhook' };
	memory.known.add('a response');
	forget(memory);
	expect([memory.known.size, memory.webhookUrl]).toEqual([0, 'https://n8n.example.com/webhook']);
});
