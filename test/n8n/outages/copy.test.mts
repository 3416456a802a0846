import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../../playground/ports.mts';
import type { Hook } from '../../../playground/service/client.mts';
import { startCopy } from '../kit/copied-n8n.mts';
import { describeEngines } from '../kit/describe-engines.mts';
import { eventually } from '../kit/eventually.mts';
import { publishTrigger, type PublishedTrigger } from '../kit/published-trigger.mts';

/** Longer than n8n tries to switch a trigger on: five times within 15 seconds. */
const REFUSED_MS = 25_000;

describeEngines('a backup of a running n8n, started elsewhere', {}, (rig, engine) => {
	let trigger: PublishedTrigger;
	let hook: Hook;

	before(async () => {
		trigger = await publishTrigger(rig);
		hook = await trigger.onlyHook();
		await firstGoesOn();
	});

	const hooksAt = async (address: string) =>
		(await trigger.hooks()).filter(({ targetUrl }) => targetUrl.startsWith(address));

	async function firstGoesOn() {
		await trigger.complete(2);
		await trigger.ranAll();
		assert.deepEqual(await hooksAt(rig.instance.url), [hook]);
	}

	/** A copy at an address of its own. */
	async function whileCopyRuns(
		host: string,
		act: (copy: Awaited<ReturnType<typeof startCopy>>, webhookUrl: string) => Promise<void>,
	) {
		const port = await freePort();
		const webhookUrl = `http://${host}:${port}/`;
		const copy = await startCopy(rig.userFolder, {
			engine,
			port,
			env: { WEBHOOK_URL: webhookUrl },
		});
		try {
			await act(copy, webhookUrl);
		} finally {
			await copy.stop();
			await copy.remove();
		}
	}

	for (const host of ['127.0.0.1', 'localhost']) {
		test(`a copy at ${host} subscribes, and the first n8n keeps working`, async () => {
			await whileCopyRuns(host, async (copy, webhookUrl) => {
				const hooksOfCopy = async () => await hooksAt(webhookUrl);
				await eventually(async () => assert.equal((await hooksOfCopy()).length, 1), 60_000);
				await firstGoesOn();
				const log = async () => await readFile(copy.logPath, 'utf8');
				await eventually(async () => assert.ok((await log()).includes(hook.id)));
				await (await copy.connect()).unpublish(trigger.workflow.id);
				await eventually(async () => assert.deepEqual(await hooksOfCopy(), []));
				await firstGoesOn();
			});
		});
	}

	test('a copy that cannot subscribe leaves the first n8n alone as well', async () => {
		const match = { method: 'POST', path: '^/hooks$' };
		await rig.service.addFault({ match, kind: 'status', status: 503, times: null });
		try {
			await whileCopyRuns('localhost', async () => {
				await sleep(REFUSED_MS);
				await firstGoesOn();
			});
		} finally {
			await rig.service.clearFaults();
		}
	});
});
