import { identityOf } from '../../../../nodes/FormResponses/trigger/identity';
import { aTriggerContext } from '../../../in-process/trigger';
import type { Stored } from '../../../in-process/workflow';
import { aWorkflow } from './trigger.fixture';

const identityIn = (stored: Stored) => identityOf(aTriggerContext(stored).context);

test('one node is told from all others, whatever its parameters', () => {
	const stored = aWorkflow({}, { nodeId: 'a' });
	expect(identityIn({ ...stored, parameters: {} })).toBe(identityIn(stored));
	expect(identityIn({ ...stored, nodeId: 'b' })).not.toBe(identityIn(stored));
	expect(identityIn(aWorkflow({}, { nodeId: 'a' }))).not.toBe(identityIn(stored));
});
