import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCopy } from './copied-n8n.mts';
import { eventually } from '../e2e/eventually.mts';
import { ENGINES, publishedTrigger } from './published-trigger.mts';
import type { PublishedTrigger } from './published-trigger.mts';
import type { Envelope, HookRecord } from '../e2e/service.mts';
import { openStage } from '../e2e/stage.mts';
import type { Stage } from '../e2e/stage.mts';

/** Longer than n8n tries to switch a trigger on: five times within 15 seconds. */
const REFUSED_MS = 25_000;

function originalAndCopies(engine: (typeof ENGINES)[number]) {
	let stage: Stage;
	let trigger: PublishedTrigger;
	let hook: HookRecord;
	const made: Envelope[] = [];

	before(async () => {
		stage = await openStage({ engine });
		trigger = await publishedTrigger(stage);
		hook = await trigger.onlyHook();
		made.push(...(await trigger.complete(2)));
		await trigger.ranOnceEach(made);
	});
	after(async () => await stage?.close());

	const hooksAt = async (address: string) =>
		(await trigger.hooks()).filter(({ targetUrl }) => targetUrl.startsWith(address));

	async function firstGoesOn() {
		made.push(...(await trigger.complete(2)));
		await trigger.ranOnceEach(made);
		assert.deepEqual(await hooksAt(stage.instance.url), [hook]);
	}

	for (const host of ['127.0.0.1', 'localhost']) {
		test(`a copy at ${host} subscribes by itself, and the first n8n goes on`, async () => {
			const copy = await startCopy(stage.userFolder, engine, host);
			try {
				await eventually(async () => assert.equal((await hooksAt(copy.webhookUrl)).length, 1));
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
		const fault = { match, kind: 'status', status: 503, times: null };
		await stage.service.addFault(fault);
		const copy = await startCopy(stage.userFolder, engine, 'localhost');
		try {
			await sleep(REFUSED_MS);
			await firstGoesOn();
		} finally {
			await stage.service.clearFaults();
			await copy.close();
		}
	});
}

describe('a backup of a running n8n, started elsewhere', { concurrency: true }, () => {
	for (const engine of ENGINES) {
		describe(`engine ${engine}`, { concurrency: 1 }, () => originalAndCopies(engine));
	}
});
