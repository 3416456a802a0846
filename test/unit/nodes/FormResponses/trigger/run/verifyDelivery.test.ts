import { ACCESS_TOKEN, API_KEY } from '../../../../kit/credentials';
import { ok, reply } from '../../../../kit/formService';
import { recorded } from '../../../../kit/processedStore';
import { anError, aResponse, FORM_ID, OTHER_FORM_ID, RESPONSE_ID } from '../../../../kit/samples';
import { pushed, recovered } from '../trigger.fixture';
import { aNode } from './node.fixture';

const PATH = `/responses/${RESPONSE_ID}`;
const verifying = { options: { verifyDeliveries: true } };
const delivery = pushed(aResponse());

let node: ReturnType<typeof aNode>;

beforeEach(() => void (node = aNode()));

test('what the service itself showed is not asked for again, and runs once', async () => {
	const shown = delivery.map((item) => ({ ...item, isShown: true }));
	const options = { skipDuplicates: false, verifyDeliveries: true };
	expect(await node.run(shown, { options })).toHaveLength(1);
	expect(await node.run(shown, { options })).toEqual([]);
	expect(node.service.sent).toEqual([]);
});

test.each([
	['apiKey', API_KEY],
	['oAuth2', ACCESS_TOKEN],
])('a delivery runs as the API has it, by the credential %s', async (authentication, token) => {
	const formId = FORM_ID.toUpperCase();
	node.service.on('GET', PATH, ok(aResponse({ formId, formTitle: 'As the API has it' })));
	const forged = pushed(aResponse({ formTitle: 'Forged' }));
	const [{ json }] = await node.run(forged, { authentication, ...verifying });
	expect(json.formTitle).toBe('As the API has it');
	expect(node.service.sent[0].authorization).toBe(`Bearer ${token}`);
});

test.each([
	['the API does not have', reply(404, anError('not_found', 'No'))],
	['the API has for another form', ok(aResponse({ formId: OTHER_FORM_ID }))],
])('what %s is dropped at once with a warning, and left to a look', async (_, answer) => {
	node.service.on('GET', PATH, answer);
	expect(await node.run(delivery, verifying)).toEqual([]);
	expect([node.clock.waits, recorded()]).toEqual([[], []]);
	expect(node.warnings()).toEqual([expect.stringMatching(/^A delivery was dropped/)]);
	expect(await node.run(recovered([aResponse()]), verifying)).toHaveLength(1);
	expect(node.service.sent).toHaveLength(1);
});

test.each([
	['403', reply(403, anError('insufficient_scope', 'No')), /lacks the scope responses:read/],
	['404 of another server', reply(404, '<html>'), /404 with an HTML page/],
])('an answer %s fails the run, which can be retried', async (_, answer, expected) => {
	node.service.always('GET', PATH, answer);
	const { error } = await node.start(delivery, verifying);
	expect(error?.message).toMatch(expected);
	const onError = 'continueRegularOutput';
	const { items } = await node.start(delivery, verifying, { onError });
	// It never passes on what came in.
	const message = expect.stringMatching(expected) as unknown;
	expect(items).toEqual([{ json: { error: { message } }, pairedItem: { item: 0 } }]);
	expect(recorded()).toEqual([]);
});
