import { TriggerContext } from 'n8n-core';
import { handedOver, handOver } from '../../../../nodes/FormResponses/trigger/handedOver';
import { install } from '../../../n8n/workflow';
import { aResponse } from '../../../samples';
import { aWorkflow } from './trigger.fixture';

function givenBy(workflow = aWorkflow()) {
	const { workflow: loaded, node, additionalData } = install(workflow);
	return handedOver(new TriggerContext(loaded, node, additionalData, 'trigger', 'activate'));
}

test('a response goes unchanged, with where it came from', () => {
	expect(handOver(aResponse(), true).json).toEqual({ envelope: aResponse(), isRecovered: true });
	expect(handOver(aResponse(), false).json).toEqual({ envelope: aResponse(), isRecovered: false });
});

test('what is given is known to the same node only', () => {
	const workflow = aWorkflow();
	givenBy(workflow).add('a');
	expect(givenBy(workflow).has('a')).toBe(true);
	expect(givenBy(workflow).has('b')).toBe(false);
	expect(givenBy({ ...workflow, nodeId: 'another' }).has('a')).toBe(false);
	expect(givenBy().has('a')).toBe(false);
});

test('it does not grow without end, and the oldest are forgotten', () => {
	const given = givenBy();
	for (let n = 0; n < 1_000; n++) given.add(`key ${n}`);
	const known = Array.from({ length: 1_000 }, (_, n) => given.has(`key ${n}`)).filter(Boolean);
	expect(known.length).toBeLessThanOrEqual(200);
	expect(given.has('key 999')).toBe(true);
	expect(given.has('key 0')).toBe(false);
	// Recovery reads the newest 25.
	expect(given.has('key 974')).toBe(true);
});
