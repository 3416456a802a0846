import { chmodSync, globSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectN8n } from '../../../playground/n8n/client.mts';
import type { PackageOptions } from '../../../playground/n8n/install-package.mts';
import {
	startN8n,
	type InstanceOptions,
	type N8nInstance,
} from '../../../playground/n8n/instance.mts';
import { freePort } from '../../../playground/ports.mts';
import type { RunningProcess } from '../../../playground/n8n/process.mts';
import { postgresDatabase, postgresUser, startPostgres } from './postgres.mts';
import { startRedis } from './redis.mts';
import { startReverseProxy } from './reverse-proxy.mts';
import { sharedBySuite } from './shared-by-suite.mts';
import { openRig } from './real-n8n.mts';

/** All processes may have to share two cores. */
export const PATIENCE_MS = 90_000;

const commands = {
	main: 'start',
	worker: 'worker',
	worker2: 'worker',
	webhook1: 'webhook',
	webhook2: 'webhook',
} as const;

export type Role = keyof typeof commands;

const roles = Object.keys(commands) as Role[];

const others = roles.filter((role) => role !== 'main');

interface ClusterOptions extends PackageOptions {
	/** Main takes production webhooks too, where somebody sends them there. */
	mainReceives?: boolean;
	/** As n8n 3.0 has it; otherwise main runs what somebody starts by hand. */
	manualRunsOnWorkers?: boolean;
}

type Servers = Awaited<ReturnType<typeof startServers>>;

/** All that n8n needs in queue mode, and an address for each of its processes, which keep them while they are down. */
async function startServers(folder: string) {
	const redis = await startRedis(join(folder, 'redis'));
	const postgres = await startPostgres(join(folder, 'postgres'));
	const ports = Object.fromEntries(
		await Promise.all(roles.map(async (role) => [role, await freePort()])),
	) as Record<Role, number>;
	const webhooks = [ports.webhook1, ports.webhook2];
	const proxy = await startReverseProxy({ main: ports.main, webhooks });
	return { redis, postgres, ports, proxy };
}

const databaseOf = ({ postgres }: Servers) => ({
	DB_TYPE: 'postgresdb',
	DB_POSTGRESDB_HOST: '127.0.0.1',
	DB_POSTGRESDB_PORT: String(postgres.port),
	DB_POSTGRESDB_USER: postgresUser,
	DB_POSTGRESDB_DATABASE: postgresDatabase,
});

function environmentOf(role: Role, servers: Servers, options: ClusterOptions) {
	const { mainReceives = false, manualRunsOnWorkers = false } = options;
	const { redis, ports, proxy } = servers;
	// Workers answer nobody but who asks for their health.
	const own: Record<string, string> =
		role === 'main'
			? { N8N_DISABLE_PRODUCTION_MAIN_PROCESS: String(!mainReceives) }
			: { QUEUE_HEALTH_CHECK_ACTIVE: 'true', QUEUE_HEALTH_CHECK_PORT: String(ports[role]) };
	return {
		...databaseOf(servers),
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: String(manualRunsOnWorkers),
		N8N_EDITOR_BASE_URL: `${proxy.url}/`,
		WEBHOOK_URL: `${proxy.url}/`,
		...own,
	};
}

/** What n8n's own logs say. */
function logsIn(folder: string) {
	const logOf = (role: Role) => readFileSync(join(folder, role, 'n8n.log'), 'utf8');
	const logged = (text: string) => roles.filter((role) => logOf(role).includes(text));
	return {
		logPaths: () => globSync(join(folder, '*', 'n8n.log')),

		/** Which process put an execution into the queue, and which ones began and ended it. */
		whereRan: (executionId: string) => ({
			enqueuedBy: logged(`Enqueued execution ${executionId} `),
			startedBy: logged(`Worker started execution ${executionId} `),
			ranBy: logged(`Worker finished execution ${executionId} `),
		}),
	};
}

/** The processes of n8n, each with a folder of its own in this one. */
function processesIn(folder: string, servers: Servers, options: ClusterOptions) {
	const running = new Map<Role, N8nInstance>();
	let hasDatabase = false;
	let common: Partial<InstanceOptions> = {};

	/** With what all processes were started with, in a folder of its own. */
	const startIn = async (name: string, { env, ...own }: Partial<InstanceOptions>) =>
		await startN8n({
			...common,
			...options,
			...own,
			userFolder: join(folder, name),
			env: { ...env, ...common.env },
		});

	async function startRole(role: Role) {
		const env = environmentOf(role, servers, options);
		const port = servers.ports[role];
		const instance = await startIn(role, { command: commands[role], port, env });
		running.set(role, instance);
		return instance;
	}

	const endAll = async (end: 'stop' | 'kill') =>
		void (await Promise.all([...running.values()].map(async (instance) => await instance[end]())));

	async function start(given: InstanceOptions): Promise<N8nInstance> {
		common = given;
		// Main makes the tables; once they are there, all processes may start together.
		const main = startRole('main');
		if (!hasDatabase) await main;
		hasDatabase = true;
		await Promise.all([main, ...others.map(startRole)]);
		const { url, port } = servers.proxy;
		return {
			...(await main),
			url,
			port,
			connect: async () => await connectN8n(url),
			stop: async () => await endAll('stop'),
			kill: async () => await endAll('kill'),
		};
	}

	return { running, startIn, startRole, start, endAll };
}

/** n8n in queue mode: main, two workers and two webhook processes, with Redis and PostgreSQL. */
export async function openCluster(options: ClusterOptions = {}) {
	const folder = mkdtempSync(join(tmpdir(), 'form-responses-queue-'));
	// PostgreSQL's user has to get through to its own folder.
	chmodSync(folder, 0o755);
	const servers = await startServers(folder);
	const { redis, postgres, proxy } = servers;
	const { running, startIn, startRole, start, endAll } = processesIn(folder, servers, options);
	let copies = 0;

	return {
		...logsIn(folder),
		/** Starts all processes; the instance stands for all of them. */
		start,
		startOne: startRole,
		killOne: async (role: Role) => await running.get(role)!.kill(),
		pauseOne: async (which: Role | 'postgres' | 'redis', ms: number) => {
			const apart: Partial<Record<string, RunningProcess>> = { postgres, redis };
			await (apart[which] ?? running.get(which as Role)!).pause(ms);
		},
		urlOf: (role: Role) => running.get(role)!.url,

		/** A whole n8n of its own at an address of its own, with a copy of the database. */
		async startCopy() {
			const name = `copy${++copies}`;
			await postgres.copyTo(name);
			const env = { ...databaseOf(servers), DB_POSTGRESDB_DATABASE: name };
			return await startIn(name, { env, port: await freePort() });
		},

		async close() {
			await endAll('stop');
			await Promise.all([redis.stop(), postgres.stop(), proxy.close()]);
			await rm(folder, { recursive: true, force: true });
		},
	};
}

export type Cluster = Awaited<ReturnType<typeof openCluster>>;

interface QueueModeOptions extends ClusterOptions {
	env?: Record<string, string>;
}

/** A rig whose n8n runs in queue mode. */
export async function openQueueMode({ env, ...options }: QueueModeOptions = {}, into = {}) {
	const cluster = await openCluster(options);
	const rig = await openRig({ env }, cluster.start, into).catch(async (error) => {
		await cluster.close();
		throw error;
	});
	const { close: closeRig } = rig;
	async function close() {
		await closeRig();
		await cluster.close();
	}
	return Object.assign(rig, { cluster, close });
}

export type QueueMode = Awaited<ReturnType<typeof openQueueMode>>;

/** One for all tests of a suite. */
export const useQueueMode = (options: QueueModeOptions = {}) =>
	sharedBySuite(async (rig) => await openQueueMode(options, rig));
