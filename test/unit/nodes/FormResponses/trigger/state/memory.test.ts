import {
	addTrigger,
	emptyMemory,
	forget,
} from '../../../../../../nodes/FormResponses/trigger/state/memory';

test('the responses of a node are forgotten, its subscription is not', () => {
	const memory = { ...emptyMemory(), webhookUrl: 'https://n8n.example.com/webhook' };
	memory.known.add('a response');
	forget(memory);
	expect([memory.known.size, memory.webhookUrl]).toEqual([0, 'https://n8n.example.com/webhook']);
});

// n8n takes no second cron of a node at the same second.
test('each trigger of a node is called at another second, up to sixty of them', () => {
	const memory = emptyMemory();
	const seconds = Array.from({ length: 60 }, () => addTrigger(memory).second);
	expect([...new Set(seconds)].sort((a, b) => a - b)).toEqual(seconds.map((_, n) => n));
});
