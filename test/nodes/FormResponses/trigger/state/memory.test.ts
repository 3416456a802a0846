import {
	addKnown,
	addTrigger,
	emptyMemory,
	forget,
	inTurn,
	isTriggerHere,
	memoryOf,
	trim,
	type Memories,
} from '../../../../../nodes/FormResponses/trigger/state/memory';
import { hookContextOf } from '../../../../in-process/hook';
import { aWorkflow } from '../trigger.fixture';

test('a node is remembered by its workflow and its ID, in each process', () => {
	const all: Memories = new Map();
	const stored = aWorkflow();
	const memory = memoryOf(hookContextOf(stored), all);
	const others = [
		memoryOf(hookContextOf({ ...stored, nodeId: 'another' }), all),
		memoryOf(hookContextOf({ ...stored, workflowId: 'another' }), all),
		memoryOf(hookContextOf(stored), new Map()),
	];
	expect(memoryOf(hookContextOf(stored), all)).toBe(memory);
	for (const other of others) expect(other).not.toBe(memory);
});

test('its responses are forgotten, its subscription is not', () => {
	const memory = emptyMemory();
	addKnown(memory, ['a response']);
	memory.webhookUrl = 'https://n8n.example.com/webhook';
	forget(memory);
	expect([memory.known.size, memory.webhookUrl]).toEqual([0, 'https://n8n.example.com/webhook']);
});

test('who changes hooks takes turns, also after one that failed', async () => {
	const memory = emptyMemory();
	const log: string[] = [];
	const take = async (name: string) =>
		await inTurn(memory, async () => {
			log.push(`${name} begins`);
			await null;
			log.push(`${name} ends`);
			if (name === 'first') throw new Error(name);
			return name;
		});
	const [first, second] = await Promise.allSettled([take('first'), take('second')]);
	expect(log).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
	expect([first.status, second]).toEqual(['rejected', { status: 'fulfilled', value: 'second' }]);
});

test('the oldest of what is too much is dropped', () => {
	const memory = emptyMemory();
	const names = (from: number, to: number) =>
		Array.from({ length: to - from }, (_, n) => `response ${from + n}`);
	addKnown(memory, names(0, 251));
	expect([...memory.known]).toEqual(names(1, 251));
	const few = new Map([['a', 1]]);
	trim(few, 1);
	expect([...few.keys()]).toEqual(['a']);
});

test('the trigger that was started last is the active one, and each ticks in a second of its own', () => {
	const memory = emptyMemory();
	expect(isTriggerHere(memory)).toBe(false);
	const [first, second] = [addTrigger(memory), addTrigger(memory)];
	expect([first.isActive(), second.isActive()]).toEqual([false, true]);
	expect((second.second - first.second + 60) % 60).toBe(7);
	second.remove();
	expect([first.isActive(), isTriggerHere(memory)]).toEqual([true, true]);
	first.remove();
	expect([first.isActive(), isTriggerHere(memory)]).toEqual([false, false]);
});
