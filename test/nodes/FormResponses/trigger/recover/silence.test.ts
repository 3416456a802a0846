import { keepLogs } from '../../../../in-process/logs';
import { anError, responsesOf } from '../../../../samples';
import { refused } from '../../../../service';
import type { Scene } from './scene.fixture';
import { aScene, SINCE } from './scene.fixture';
import { idsIn, trigger } from '../trigger.fixture';

const POLLING = { authentication: 'apiKey', pollInterval: 1 };
const [first] = responsesOf(1, SINCE);

let scene: Scene;

beforeEach(() => keepLogs(trigger));

afterEach(async () => {
	await scene.stop();
});

const messages = () => scene.trigger.failures.map(({ message }) => message);

describe.each<[string, object]>([
	['with a hook', {}],
	['with an API key', POLLING],
])('a service that does not tell its responses any more, %s', (_, parameters) => {
	beforeEach(async () => {
		scene = aScene(parameters);
		await scene.start();
		await scene.minutes(2);
		scene.failure = refused(403, anError('insufficient_scope', 'The scope was taken away'));
	});

	test('is told once, as a failed execution, with the reason, and work goes on by itself', async () => {
		await scene.minutes(60);
		expect(messages()).toEqual([
			expect.stringMatching(
				/^"Forms" could not read the latest responses for 1\d minutes: .*(scope was taken away|lacks the scope)/,
			),
		]);
		scene.failure = undefined;
		scene.responses = [first];
		await scene.minutes(6);
		expect(idsIn(scene.trigger.runs)).toEqual([[first.data.responseId]]);
	});

	test('is not told where it comes back before', async () => {
		await scene.minutes(10);
		scene.failure = undefined;
		await scene.minutes(20);
		scene.failure = refused(403, anError('insufficient_scope', 'Again'));
		await scene.minutes(10);
		expect(messages()).toEqual([]);
	});

	test('is told once more in another spell', async () => {
		await scene.minutes(40);
		scene.failure = undefined;
		await scene.minutes(20);
		scene.failure = refused(403, anError('insufficient_scope', 'Again'));
		await scene.minutes(60);
		expect(messages()).toHaveLength(2);
	});
});
