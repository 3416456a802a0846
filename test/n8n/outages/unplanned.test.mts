import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeEngines } from '../kit/describe-engines.mts';
import { eventually } from '../kit/eventually.mts';
import { deliver, forgedKeys, keyIn } from '../kit/hook.mts';
import { ranInOrder } from '../kit/one-run-each.mts';
import { publishTrigger, type TriggerOptions, workingTrigger } from '../kit/published-trigger.mts';
import { describeRestarts } from '../kit/shared-restarts.mts';
import type { Connection } from '../kit/real-n8n.mts';

/** Longer than n8n tries to switch a trigger on: five times within 15 seconds. */
const FAILED_MS = 30_000;
const OUTAGE_MS = 60_000;
const MINUTE = 60_000;
/** So that it is not minutes after an outage that the trigger tries again, or doubts its hook. */
const timing = { longestRetryMs: MINUTE / 2, doubtMs: MINUTE / 2 };
const PAGE = 25;

const unavailable = { kind: 'status', status: 503, times: null } as const;
const refusedHooks = { match: { method: 'POST', path: '^/hooks$' }, ...unavailable };

describeEngines('what nobody planned', { timing }, (rig) => {
	/** Apart, because its faults last for minutes. */
	let failing: Connection;
	before(async () => void (failing = await rig.openService()));

	const published = async (options?: TriggerOptions) => await publishTrigger(rig, options);

	describeRestarts('side by side', rig, { crash: true }, (it) => {
		it('POST /hooks away around a restart, then the whole service', async (restart) => {
			const { service } = failing;
			const trigger = await workingTrigger(rig, { connection: failing }, 2);
			const working = await trigger.onlyHook();

			const refused = await restart(async () => {
				await trigger.complete(3);
				return await service.addFault(refusedHooks);
			});
			await trigger.ranAll(MINUTE);
			await trigger.isDelivered(2);
			await service.removeFault(refused);
			await trigger.endsAreRecorded();

			const away = await restart(async () => {
				await trigger.complete(3, { deliver: false });
				return await service.addFault({ match: {}, kind: 'reset', times: null });
			});
			await trigger.complete(2, { deliver: false });
			await sleep(OUTAGE_MS);
			await trigger.isPublished();
			await service.removeFault(away);
			await trigger.ranAll(3 * MINUTE);
			await trigger.isPublished();
			assert.deepEqual(await trigger.onlyHook(), working);
			await trigger.isDelivered(2);
			await trigger.ranNothingElse();
			await trigger.unpublishLeavesNoHook();
		});

		it('a start at another base URL removes nothing', async (restart) => {
			const { service } = rig;
			const credentials = await rig.connectTo(service);
			const trigger = await published({ connection: { service, credentials } });
			const earlier = await trigger.onlyHook();
			// Of the same host: at another one the trigger removes nothing anyway.
			const elsewhere = service.baseUrl.replace('/api/v1', '/elsewhere/api/v1');
			const { id } = credentials.formResponsesOAuth2Api;
			await rig.n8n.updateCredential(id, { data: { baseUrl: elsewhere } });
			await restart();
			await eventually(async () => {
				const log = await readFile(rig.instance.logPath, 'utf8');
				assert.ok(log.includes(`Could not subscribe to form ${trigger.form.id}`));
			}, MINUTE);
			await sleep(FAILED_MS);
			assert.deepEqual(await trigger.onlyHook(), earlier);
		});

		it('31 missed, and one delivered before the first look: a warning', async (restart) => {
			const trigger = await workingTrigger(rig);
			const first = [...trigger.made];
			const match = trigger.matchOfLooks;
			const noLook = await rig.service.addFault({ match, ...unavailable });
			const missed = await restart(async () => await trigger.complete(31));
			const delivered = await trigger.complete(1);
			await trigger.ranOnceEach([...first, ...delivered]);
			await rig.service.removeFault(noLook);
			const within = [...missed, ...delivered].slice(-PAGE);
			await trigger.ranOnceEach([...first, ...within], 2 * MINUTE);
			const warned = (await trigger.ran()).filter(({ warning }) => warning !== undefined);
			assert.deepEqual(
				warned.map(({ responseId }) => responseId),
				[within[0]!.data.responseId],
			);
			assert.match(String(warned[0]!.warning), /\b25\b/);
		});

		it('what was there at the first publication runs once, if asked for', async (restart) => {
			const form = await rig.service.addForm('Contact');
			const there = await rig.service.addResponses(form.id, { count: 30, deliver: false });
			const trigger = await published({ form, parameters: { options: { existing: true } } });
			const newest = there.slice(-PAGE);
			await trigger.ranOnceEach(newest, MINUTE);
			ranInOrder(await trigger.ran(), newest);
			await trigger.unpublish();
			await trigger.publish();
			await trigger.hasLooked();
			await restart();
			await trigger.hasLooked();
			const later = await trigger.complete(1);
			await trigger.ranOnceEach([...newest, ...later]);
		});

		it('50 made-up deliveries of what is too old cost nothing and say nothing', async () => {
			const form = await rig.service.addForm('Contact');
			const [old] = await rig.service.addResponses(form.id, {});
			const trigger = await published({ form });
			const { targetUrl } = await trigger.onlyHook();
			const answers = new Set<string>();
			for (const url of [targetUrl.split('?')[0]!, ...forgedKeys(targetUrl, 50)]) {
				const { status, text } = await deliver(url, old);
				assert.equal(status, 200);
				answers.add(text);
			}
			assert.equal(answers.size, 1, [...answers].join('\n'));
			assert.doesNotMatch([...answers].join(), /key|older|newer|later|earlier/i);
			assert.deepEqual(await trigger.executions(), []);
			const requests = await rig.service.requests();
			const path = `/responses/${old!.data.responseId}`;
			assert.deepEqual(
				requests.filter((request) => request.path === path),
				[],
			);
		});

		it('a hook lost while n8n runs, on a busy form', async (restart) => {
			await restart();
			const trigger = await published();
			// The first look catches up with anything, and does not ask why it was missed.
			await trigger.hasLooked();
			await trigger.complete(15);
			await trigger.ranAll();
			const lost = await trigger.onlyHook();
			await rig.service.loseHook(lost.id);
			await trigger.complete(10);
			await trigger.ranAll(3 * MINUTE);
			const spare = await trigger.hasOneHook(3 * MINUTE);
			assert.notEqual(spare.id, lost.id);
			await trigger.isDelivered();
			await trigger.unpublishLeavesNoHook();
		});
	});

	test('no token of a hook is in static data, executions or log', async () => {
		const hooks: Array<{ targetUrl: string }> = [];
		for (const { service } of [rig, failing]) {
			hooks.push(...(await service.hooks()), ...(await service.deliveries()));
		}
		const tokens = new Set(hooks.map(({ targetUrl }) => keyIn(targetUrl).token));
		assert.ok(tokens.size > 3);
		const texts = [await readFile(rig.instance.logPath, 'utf8')];
		for (const { id } of await rig.n8n.workflows()) {
			const { staticData } = await rig.n8n.workflow(id);
			assert.ok(staticData, 'a published trigger keeps static data');
			texts.push(JSON.stringify(staticData));
			for (const run of await rig.n8n.executions({ workflowId: id })) {
				texts.push(JSON.stringify(await rig.n8n.execution(run.id)));
			}
		}
		for (const token of tokens) {
			for (const text of texts) assert.ok(!text.includes(token));
		}
	});
});
