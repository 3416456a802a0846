import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signalGroup } from '../n8n/process-group.mts';

/** A process ID is given to others later; with the time of its start it names one process. */
interface ProcessRecord {
	name: string;
	pid: number;
	/** In milliseconds; 0 where nothing tells. */
	startedAt: number;
}

interface Start {
	/** What `npm start` itself runs in. */
	own: ProcessRecord;
	/** What it started; each leads a process group. */
	others: ProcessRecord[];
}

const STOPPED_WITHIN_MS = 15_000;

/** `ps` works it out from the time since the system's start, a second more or less. */
const TOLERANCE_MS = 2_000;

/** 0 where there is no such process, or, as on Windows, no `ps`. */
function startOf(pid: number): number {
	try {
		const line = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
			encoding: 'utf8',
			env: { ...process.env, LC_ALL: 'C' },
			stdio: ['ignore', 'pipe', 'ignore'],
		});
		const [, state, start] = /^\s*(\S+)\s+(.*)$/m.exec(line) ?? [];
		// One that has ended stays in the list until its parent has taken note, in some containers for ever.
		return state?.startsWith('Z') ? 0 : Date.parse(start ?? '') || 0;
	} catch {
		return 0;
	}
}

const recordOf = (name: string, pid: number): ProcessRecord => ({
	name,
	pid,
	startedAt: startOf(pid),
});

function isRunning({ pid, startedAt }: ProcessRecord): boolean {
	const start = startOf(pid);
	return start > 0 && Math.abs(start - startedAt) <= TOLERANCE_MS;
}

async function stop(record: ProcessRecord) {
	const { name, pid } = record;
	console.log(`Stopping ${name} of an earlier start (process ${pid})`);
	signalGroup(pid, 'SIGTERM');
	const deadline = Date.now() + STOPPED_WITHIN_MS;
	while (isRunning(record)) {
		if (Date.now() > deadline) signalGroup(pid, 'SIGKILL');
		await sleep(100);
	}
}

/** Keeps account of the processes of a playground, so that one that was killed leaves nothing behind for good. */
export function openAccount(dataFolder: string) {
	const path = join(dataFolder, 'processes.json');
	const account: Start = { own: recordOf('npm start', process.pid), others: [] };

	function write() {
		mkdirSync(dataFolder, { recursive: true });
		writeFileSync(`${path}.new`, JSON.stringify(account));
		renameSync(`${path}.new`, path);
	}

	function read(): Start | undefined {
		try {
			return JSON.parse(readFileSync(path, 'utf8')) as Start;
		} catch {
			// Missing, or damaged: a port that is taken is then told by its number.
			return undefined;
		}
	}

	return {
		/** @throws where another `npm start` is running */
		async clear() {
			const earlier = read();
			if (earlier && isRunning(earlier.own)) {
				throw new Error(
					`"npm start" is running already, as process ${earlier.own.pid}. Stop it with Ctrl-C where it runs, or with: kill ${earlier.own.pid}`,
				);
			}
			for (const record of earlier?.others ?? []) if (isRunning(record)) await stop(record);
			write();
		},

		note(name: string, pid: number) {
			account.others.push(recordOf(name, pid));
			write();
		},

		close: () => rmSync(path, { force: true }),
	};
}
