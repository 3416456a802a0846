import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectN8n } from '../../../playground/n8n/client.mts';
import type { ActivationEngine } from '../../../playground/n8n/environment.mts';
import { freePort } from '../../../playground/n8n/ports.mts';
import { needsOwnN8n } from '../kit/attached-n8n.mts';
import { startCopy } from '../kit/copied-n8n.mts';
import { describeEngines } from '../kit/describe-engines.mts';
import { eventually } from '../kit/eventually.mts';
import { publishTrigger, type PublishedTrigger } from '../kit/published-trigger.mts';
import type { Envelope, Hook } from '../../../playground/service/client.mts';
import { openRig, type Rig } from '../kit/test-rig.mts';

/** Longer than n8n tries to switch a trigger on: five times within 15 seconds. */
const REFUSED_MS = 25_000;

/** At an address of its own. */
async function openCopy(userFolder: string, engine: ActivationEngine, host: string) {
	const port = await freePort();
	const webhookUrl = `http://${host}:${port}/`;
	const instance = await startCopy(userFolder, { engine, port, env: { WEBHOOK_URL: webhookUrl } });
	return {
		webhookUrl,
		n8n: await connectN8n(instance.url),
		log: async () => await readFile(instance.logPath, 'utf8'),
		async close() {
			await instance.stop();
			await instance.remove();
		},
	};
}

function originalAndCopies(engine: ActivationEngine) {
	let rig: Rig;
	let trigger: PublishedTrigger;
	let hook: Hook;
	const made: Envelope[] = [];

	before(async () => {
		rig = await openRig({ engine });
		trigger = await publishTrigger(rig);
		hook = await trigger.onlyHook();
		made.push(...(await trigger.complete(2)));
		await trigger.ranOnceEach(made);
	});
	after(async () => await rig?.close());

	const hooksAt = async (address: string) =>
		(await trigger.hooks()).filter(({ targetUrl }) => targetUrl.startsWith(address));

	async function firstGoesOn() {
		made.push(...(await trigger.complete(2)));
		await trigger.ranOnceEach(made);
		assert.deepEqual(await hooksAt(rig.instance.url), [hook]);
	}

	for (const host of ['127.0.0.1', 'localhost']) {
		test(`a copy at ${host} subscribes, and the first n8n keeps working`, async () => {
			const copy = await openCopy(rig.userFolder, engine, host);
			try {
				await eventually(
					async () => assert.equal((await hooksAt(copy.webhookUrl)).length, 1),
					60_000,
				);
				await firstGoesOn();
				await eventually(async () => assert.ok((await copy.log()).includes(hook.id)));
				await copy.n8n.unpublish(trigger.workflow.id);
				await eventually(async () => assert.deepEqual(await hooksAt(copy.webhookUrl), []));
				await firstGoesOn();
			} finally {
				await copy.close();
			}
		});
	}

	test('a copy that cannot subscribe leaves the first n8n alone as well', async () => {
		const match = { method: 'POST', path: '^/hooks$' };
		await rig.service.addFault({ match, kind: 'status', status: 503, times: null });
		const copy = await openCopy(rig.userFolder, engine, 'localhost');
		try {
			await sleep(REFUSED_MS);
			await firstGoesOn();
		} finally {
			await rig.service.clearFaults();
			await copy.close();
		}
	});
}

describeEngines('a backup of a running n8n, started elsewhere', originalAndCopies, {
	skip: needsOwnN8n,
});
