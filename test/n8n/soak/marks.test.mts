import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'rolldown';
import { packageRoot } from '../../../playground/n8n/build.mts';
import { startN8n } from '../../../playground/n8n/instance.mts';
import { n8nLocation } from '../../../playground/n8n/location.mts';
import { connectN8n } from '../../../playground/n8n/client.mts';
import { postgresDatabase, postgresUser, startPostgres } from '../kit/postgres.mts';
import type { StoreNode, Task } from './store-process.mts';

/** Wide enough that two processes erase each other's marks in most rounds. */
const SLOWNESS_MS = 30;
const BURST = 25;

const keysOf = (round: string) =>
	Array.from({ length: BURST }, (_, index) => `${round}-${index} 2026-03-01T12:00:00.000Z`);

/** The package's code for claims by itself, built as the package is. */
async function buildClaim(file: string) {
	const trigger = join(packageRoot, 'nodes/FormResponses/trigger');
	const exported = ['run/duplicates', 'state/memory'].map(
		(name) => `export * from '${trigger}/${name}';`,
	);
	const input = file.replace(/js$/, 'ts');
	writeFileSync(input, exported.join('\n'));
	await build({
		input,
		external: ['n8n-workflow'],
		platform: 'node',
		output: { file, format: 'cjs' },
	});
}

/** A process of its own that claims responses over n8n's own store. */
async function startStoreProcess(claim: string, env: Record<string, string>) {
	const location = n8nLocation();
	const child: ChildProcess = fork(
		join(import.meta.dirname, 'store-process.mts'),
		[location.folder, claim, String(SLOWNESS_MS)],
		{
			execPath: location.node,
			env: { ...process.env, ...env, NODE_PATH: join(location.folder, 'node_modules') },
			stdio: 'inherit',
			execArgv: [],
		},
	);
	await once(child, 'message');
	const waiting = new Map<number, (fresh: string[]) => void>();
	const warnings: string[] = [];
	let count = 0;
	child.on(
		'message',
		({ id, fresh, warning }: { id: number; fresh: string[]; warning?: string }) =>
			warning === undefined ? waiting.get(id)?.(fresh) : warnings.push(warning),
	);
	const ended = once(child, 'exit');
	return {
		warnings,
		async run(task: Task): Promise<string[]> {
			const id = ++count;
			const answer = new Promise<string[]>((resolve) => waiting.set(id, resolve));
			child.send({ id, ...task });
			const fresh = await Promise.race([answer, ended.then(() => undefined)]);
			assert.ok(fresh, 'the process ended before it answered');
			return fresh;
		},
		async kill() {
			child.kill('SIGKILL');
			await ended;
		},
	};
}

type StoreProcess = Awaited<ReturnType<typeof startStoreProcess>>;

describe('two processes that share one store', () => {
	const folder = mkdtempSync(join(tmpdir(), 'form-responses-marks-'));
	const claim = join(folder, 'claim.js');
	let postgres: Awaited<ReturnType<typeof startPostgres>>;
	let env: Record<string, string>;
	let node: StoreNode;
	const started: StoreProcess[] = [];

	async function start(): Promise<StoreProcess> {
		const one = await startStoreProcess(claim, env);
		started.push(one);
		return one;
	}

	before(async () => {
		await buildClaim(claim);
		chmodSync(folder, 0o755);
		postgres = await startPostgres(join(folder, 'postgres'));
		env = {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(postgres.port),
			DB_POSTGRESDB_USER: postgresUser,
			DB_POSTGRESDB_DATABASE: postgresDatabase,
			N8N_USER_FOLDER: join(folder, 'n8n'),
			N8N_ENCRYPTION_KEY: 'form-responses-playground',
		};
		// n8n makes the tables, and a workflow for the marks to belong to.
		const n8n = await startN8n({ userFolder: join(folder, 'n8n'), env });
		const client = await connectN8n(n8n.url);
		const workflow = await client.createWorkflow({ name: 'Marks', nodes: [], connections: {} });
		node = { workflowId: workflow.id, nodeId: crypto.randomUUID() };
		await n8n.stop();
	});
	after(async () => {
		await Promise.all(started.map(async (one) => await one.kill()));
		await postgres?.stop();
		await rm(folder, { recursive: true, force: true });
	});

	/** Each delivered once, to one of the two or the other, all at the same time. */
	async function deliver(workers: StoreProcess[], keys: string[]): Promise<string[]> {
		const runs = keys.map(
			async (key, index) => await workers[index % 2]!.run({ node, delivered: [key] }),
		);
		return (await Promise.all(runs)).flat();
	}

	test('each response runs once, although they erase each other’s marks', async () => {
		const workers = await Promise.all([start(), start()]);
		const all: string[] = [];
		for (const round of ['one', 'two', 'three']) {
			const keys = keysOf(round);
			all.push(...keys);
			assert.deepEqual((await deliver(workers, keys)).sort(), keys.toSorted(), 'lost');
			await sleep(2_000);
		}
		// What a main process that was started again emits runs where nobody remembers anything (`timing.overdueMs`).
		await sleep(15_000);
		const third = await start();
		const again = await third.run({ node, recovered: all });
		assert.deepEqual(again, [], 'twice');
		for (const { warnings } of [...workers, third]) assert.deepEqual(warnings, []);
	});

	test('a run whose process was killed runs again, and one that ended does not', async () => {
		const [worker, other] = await Promise.all([start(), start()]);
		const [ended, cutOff] = keysOf('killed');
		assert.deepEqual(await worker.run({ node, delivered: [ended!] }), [ended]);
		await sleep(1_000);
		assert.deepEqual(await worker.run({ node, delivered: [cutOff!] }), [cutOff]);
		await worker.kill();
		const recovered = [ended!, cutOff!];
		assert.deepEqual(await other.run({ node, recovered }), [cutOff]);
		await sleep(1_000);
		const third = await start();
		assert.deepEqual(await third.run({ node, recovered }), []);
	});
});
