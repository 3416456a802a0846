import type { IExecuteFunctions, INodeExecutionData, IRun, ITriggerFunctions } from 'n8n-workflow';
import * as n8nWorkflow from 'n8n-workflow';
import { responseKey } from '../../../../../../nodes/FormResponses/transport/responseKey';
import type { ResponseEnvelope } from '../../../../../../nodes/FormResponses/transport/types';
import { received } from '../../../../../../nodes/FormResponses/trigger/runInput';
import type * as Emission from '../../../../../../nodes/FormResponses/trigger/recover/emission';
import { decide } from '../../../../../../nodes/FormResponses/trigger/recover/missedResponses';
import {
	halfAPageMs,
	lookInterval,
} from '../../../../../../nodes/FormResponses/trigger/recover/lookInterval';
import type * as Execute from '../../../../../../nodes/FormResponses/trigger/run/execute';
import {
	addTrigger,
	emptyMemory,
	RESPONSES,
	trim,
} from '../../../../../../nodes/FormResponses/trigger/state/memory';
import { timing } from '../../../../../../nodes/FormResponses/trigger/timing';
import { aResponse, FORM_ID, idOf } from '../../../../kit/samples';
import { nextTurn } from '../../../../kit/turn';

/**
 * n8n as the trigger meets it: a main process, webhook processes, workers, a queue, and a store that each of them
 * reads and writes as a whole. Processes run the package's own code. All that is random comes from the seed.
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const BEGIN = Date.parse('2026-03-01T12:00:00Z');
const PAGE = 25;

function drawing(seed: number) {
	let state = seed >>> 0;
	const random = () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	return {
		random,
		between: (from: number, to: number) => from + random() * (to - from),
		chance: (probability: number) => random() < probability,
		oneOf: <Value>(values: Value[]): Value => values[Math.floor(random() * values.length)],
	};
}

class Schedule {
	now = BEGIN;
	/** The next one last. */
	private readonly events: Array<{ time: number; act: () => void }> = [];

	/** What falls on the same time comes in the order in which it was planned. */
	at(when: number, act: () => void) {
		const time = Math.max(when, this.now);
		let place = this.events.length;
		while (place > 0 && this.events[place - 1].time <= time) place--;
		this.events.splice(place, 0, { time, act });
	}

	async run(until: number) {
		for (let next = this.events.pop(); next && next.time <= until; next = this.events.pop()) {
			this.now = next.time;
			next.act();
			await nextTurn();
		}
	}
}

type Code = typeof Emission & typeof Execute;

interface Run {
	items: INodeExecutionData[];
	/** Tells the emission how it ended, if main still lives. */
	tell?: (how: (done: Done) => void) => void;
	isLost?: boolean;
	killedAt?: number;
	hostDiedAt?: number;
	endedAt?: number;
	/** When its process noted that it had lasted for ten seconds. */
	countsAsEndedAt?: number;
}

interface Done {
	resolve: (run: IRun) => void;
	reject: (error: Error) => void;
}

interface Output {
	at: number;
	run: Run;
	isDelivered: boolean;
	/** Whether the store failed, so that it passed unasked. */
	isUnasked: boolean;
}

interface Response {
	at: number;
	envelope: ResponseEnvelope;
	outputs: Output[];
	isSeen?: boolean;
	/** Whether main died with it, and no look has seen it since. */
	isForgotten?: boolean;
}

/** What happened to the responses of a world, as in the model that the ledger comes from. */
export type Balance = Awaited<ReturnType<typeof play>>;

/** A call of the store takes up to 1.5 seconds, and may have to wait for another one. */
const END_WRITTEN_MS = 3 * SECOND;

/**
 * @param workers 0 for an n8n of one process
 * @param limit how many runs a process takes at a time; what waits survives main (n8n, start command)
 */
export async function play(seed: number, count: number, workers: number, limit: number) {
	const isOne = workers === 0;
	const { random, between, chance, oneOf } = drawing(seed * 7_919 + workers);
	const fate = drawing(seed * 104_729 + workers);
	const schedule = new Schedule();
	const all: Response[] = [];
	const byKey = new Map<string, Response>();
	let isPending: (key: string) => boolean = () => false;
	const listed: Response[] = [];
	let jobs: Run[] = [];
	let row: string[] = [];

	/** What is planned in a process dies with it, and waits while it is stopped. */
	class Process {
		life = 0;
		isAlive = true;
		stoppedAt = 0;
		stoppedUntil = 0;
		failedAt = -1;
		ran: Run[] = [];
		running = new Set<Run>();
		code!: Code;
		memory = emptyMemory();

		constructor() {
			this.load();
		}

		/** A process that starts remembers nothing. */
		private load() {
			this.memory = emptyMemory();
			jest.isolateModules(() => {
				const { endWithin, sleep } = this;
				jest.doMock('n8n-workflow', () => ({ ...n8nWorkflow, sleep }));
				// It counts real time.
				const timeLimit = '../../../../../../nodes/FormResponses/transport/timeLimit';
				jest.doMock(timeLimit, () => ({ endWithin }));
				// With what knows the time of a process, or what it waits for.
				const path = '../../../../../../nodes/FormResponses/trigger';
				const emission = jest.requireActual<typeof Emission>(`${path}/recover/emission`);
				const run = jest.requireActual<typeof Execute>(`${path}/run/execute`);
				this.code = { ...emission, ...run };
			});
		}

		endWithin = async (ms: number, _: unknown, work: () => Promise<unknown>) => {
			const late = new n8nWorkflow.UnexpectedError('Late');
			const end = this.sleep(ms).then(() => Promise.reject(late));
			return await Promise.race(ms > 0 ? [work(), end] : [end]);
		};

		sleep = async (ms: number) => await new Promise<void>((wake) => this.after(ms, wake));

		after(ms: number, act: () => void) {
			const { life } = this;
			const go = () => {
				if (this.life !== life) return;
				if (schedule.now < this.stoppedUntil) schedule.at(this.stoppedUntil + random(), go);
				else act();
			};
			schedule.at(schedule.now + ms, go);
		}

		kill(downMs: number) {
			if (!this.isAlive) return;
			const { now } = schedule;
			if (this === main) forget();
			// Killed while it was stopped is as good as killed then.
			const diedAt = now < this.stoppedUntil ? this.stoppedAt : now;
			for (const run of this.ran) run.hostDiedAt ??= diedAt;
			for (const run of this.running) {
				run.killedAt = now;
				const outcome = { status: 'error', data: {} } as IRun;
				const tell = () => !run.isLost && run.tell?.(({ resolve }) => resolve(outcome));
				// As seen in n8n 2.41: 113 seconds after the kill.
				if (!isOne) schedule.at(now + between(60, 120) * SECOND, tell);
			}
			this.life++;
			this.isAlive = false;
			this.stoppedUntil = 0;
			[this.ran, this.running] = [[], new Set()];
			schedule.at(now + downMs, () => {
				this.isAlive = true;
				this.load();
				if (this === main) startMain();
				take();
			});
		}

		stop(ms: number) {
			if (!this.isAlive) return;
			[this.stoppedAt, this.stoppedUntil] = [schedule.now, schedule.now + ms];
		}
	}

	const main = new Process();
	const beside = (length: number) => Array.from({ length }, () => new Process());
	const crew = isOne ? [main] : beside(workers);
	const webs = isOne ? [main] : beside(2);
	const node = { id: 'node', name: 'Forms', parameters: {} };
	const logger = { warn: () => {}, info: () => {}, error: () => {}, debug: () => {} };
	const common = {
		getNode: () => node,
		getNodeParameter: (name: string) => (name === 'options' ? {} : undefined),
		getWorkflow: () => ({ id: 'workflow' }),
		logger,
	};

	/** Reads, takes its time, and writes: what others wrote meanwhile is gone. It may fail before or after writing. */
	async function write(process: Process, change: (before: string[]) => string[]) {
		const before = row;
		const isFailing = chance(0.01);
		const isWritten = !isFailing || chance(0.5);
		await process.sleep(chance(0.03) ? between(200, 1_500) : between(1, 50));
		if (isWritten) row = change(before);
		if (isFailing) {
			process.failedAt = schedule.now;
			throw new n8nWorkflow.UnexpectedError('The connection was closed');
		}
	}

	async function record(process: Process, marks: string[], _: string, { maxEntries = Infinity }) {
		let fresh: string[] = [];
		await write(process, (before) => {
			const known = new Set(before);
			fresh = marks.filter((mark) => !known.has(mark));
			return [...before, ...fresh].slice(-maxEntries);
		});
		return { new: fresh, processed: [] };
	}

	const remove = async (process: Process, marks: string[]) =>
		await write(process, (before) => before.filter((mark) => !marks.includes(mark)));

	function enqueue(run: Run) {
		jobs.push(run);
		schedule.at(schedule.now + between(5, 30), take);
	}

	function take() {
		for (;;) {
			const free = crew
				.filter(({ isAlive, stoppedUntil }) => isAlive && schedule.now >= stoppedUntil)
				.filter(({ running }) => running.size < limit);
			if (jobs.length === 0 || free.length === 0) return;
			void execute(oneOf(free), jobs.shift()!);
		}
	}

	function note(process: Process, run: Run, items: INodeExecutionData[]) {
		for (const { json } of items) {
			const { outputs } = byKey.get(responseKey({ data: json } as unknown as ResponseEnvelope))!;
			const isUnasked = process.failedAt === schedule.now;
			outputs.push({ at: schedule.now, run, isDelivered: run.tell === undefined, isUnasked });
		}
	}

	/** n8n's part of a run; the package's is the trigger node's `execute`. */
	async function execute(process: Process, run: Run) {
		process.running.add(run);
		process.ran.push(run);
		const cancelAt = chance(0.02) ? schedule.now + between(0, 2 * SECOND) : Infinity;
		const atEnd: Array<() => Promise<unknown>> = [];
		const metadata: Record<string, string> = {};
		const customData = { set: (name: string, value: string) => (metadata[name] = String(value)) };
		const context = {
			...common,
			getMode: () => 'webhook',
			getInputData: () => run.items,
			getExecuteData: () => ({ node }),
			getExecutionCancelSignal: () => ({ aborted: schedule.now >= cancelAt }),
			getWorkflowDataProxy: () => ({ $execution: { customData } }),
			onExecutionFinish: (tell: () => Promise<unknown>) => atEnd.push(tell),
			continueOnFail: () => false,
			helpers: {
				checkProcessedAndRecord: record.bind(undefined, process),
				removeProcessed: remove.bind(undefined, process),
			},
		};
		const { code, memory } = process;
		const [output] = await code.execute(context as unknown as IExecuteFunctions, memory);
		const isCanceled = schedule.now >= cancelAt;
		note(process, run, output);
		process.after(timing.shortRunMs, () => (run.countsAsEndedAt = schedule.now));
		const longest = Math.max(1, cancelAt - schedule.now);
		const lastsMs = output.length === 0 ? 5 : Math.min(50 * 1_200 ** random(), longest);
		process.after(lastsMs, () => {
			atEnd.forEach((tell) => void tell());
			run.endedAt = schedule.now;
			process.running.delete(run);
			take();
			if (run.isLost) return;
			// As seen in n8n 2.41: a time limit on a worker is never told to main.
			if (isCanceled || lastsMs === longest) {
				const error = new Error('The execution was cancelled because it timed out');
				if (isOne) run.tell?.(({ reject }) => reject(error));
			} else {
				const data = { resultData: { runData: {}, metadata } };
				const outcome = { status: 'success', data } as IRun;
				schedule.at(schedule.now + 10, () => run.tell?.(({ resolve }) => resolve(outcome)));
			}
		});
	}

	/** What main holds of responses dies with it. */
	function forget() {
		for (const one of all) {
			const isUnderWay = one.outputs.some(({ run }) => main.running.has(run));
			if (isPending(responseKey(one.envelope)) || isUnderWay) one.isForgotten = true;
		}
	}

	/** The trigger, but for what it asks the service. */
	function startMain() {
		const { life, code, memory } = main;
		let looks = 0;
		let before: string[] = [];
		const context = {
			...common,
			getWorkflowStaticData: () => ({}),
			helpers: {
				createDeferredPromise() {
					let done!: Done;
					const promise = new Promise((resolve, reject) => (done = { resolve, reject }));
					return { ...done, promise };
				},
			},
			emit([items]: INodeExecutionData[][], _: unknown, done: Done) {
				enqueue({ items, tell: (how) => main.life === life && main.after(0, () => how(done)) });
			},
		} as unknown as ITriggerFunctions;
		const { isActive } = addTrigger(memory);
		const emission = code.createEmission({ context, memory, isActive, onLate() {} });
		isPending = emission.isPending;
		const isHandled = (key: string) => memory.known.has(key) || isPending(key);
		function look() {
			const page = listed.slice(-PAGE).reverse();
			const newest = page.map(({ envelope }) => envelope);
			const keys = newest.map(responseKey);
			const unknown = page.filter((_, index) => !memory.known.has(keys[index]));
			for (const one of unknown) [one.isSeen, one.isForgotten] = [true, false];
			const about = { isPolling: false, isFirst: looks++ === 0 };
			const { missed, isOldestShown } = decide({
				...{ newest, before, start: { baseline: [] }, isHandled, ...about },
				isFull: page.length === PAGE,
				isWanted: () => true,
			});
			before = keys;
			if (missed.length > 0) emission.add(missed, { now: schedule.now, isOldestShown, ...about });
			main.after(lookInterval(halfAPageMs([...keys, ...memory.known]), looks), look);
		}
		main.after(3 * SECOND, look);
	}

	function deliver({ envelope }: Response, web: Process) {
		// The service gave up.
		if (!web.isAlive || (schedule.now < web.stoppedUntil && chance(0.5))) return;
		web.after(0, () => {
			const { known, taken } = web.memory;
			const key = responseKey(envelope);
			const takenAt = taken.get(key)?.at ?? -Infinity;
			if (known.has(key) || takenAt > schedule.now - timing.takenMs) return;
			taken.set(key, { at: schedule.now, byLive: true });
			trim(taken, RESPONSES);
			enqueue({ items: [received({ envelope, isRecovered: false })] });
		});
	}

	function complete(time: number) {
		const responseId = idOf(all.length, 2);
		const completedAt = new Date(time).toISOString();
		const envelope = aResponse({ formId: FORM_ID, responseId, completedAt });
		const response: Response = { at: time, envelope, outputs: [] };
		all.push(response);
		byKey.set(responseKey(envelope), response);
		schedule.at(time, () => listed.push(response));
		const isDelivered = !fate.chance(0.08);
		const isTwice = fate.chance(0.1);
		const isSame = fate.chance(0.3);
		const at = time + fate.between(20, 400);
		const later = isSame ? fate.between(0, 5) : fate.between(5, 60) * SECOND;
		const [first, other] = [fate.oneOf(webs), fate.oneOf(webs)];
		const second = isSame ? webs[(webs.indexOf(first) + 1) % webs.length] : other;
		if (isDelivered) schedule.at(at, () => deliver(response, first));
		if (isDelivered && isTwice) schedule.at(at + later, () => deliver(response, second));
	}

	function harm(time: number) {
		const worker = fate.oneOf(crew);
		const kill = (who: Process, when = time) => {
			const downMs = fate.between(5, 60) * SECOND;
			schedule.at(when, () => who.kill(downMs));
		};
		/** Once more soon after its start. */
		const killAgain = (who: Process) => {
			const ms = fate.between(5, 60) * SECOND;
			const again = time + ms + fate.between(0, 15) * SECOND;
			for (const when of [time, again]) schedule.at(when, () => who.kill(ms));
		};
		/** Longer than an emission waits for news of its run. */
		const outage = () => {
			kill(worker);
			const at = time + fate.between(30, 150) * SECOND;
			const ms = fate.between(6, 14) * MINUTE;
			for (const who of crew) schedule.at(at, () => who.kill(ms));
		};
		const any = () => (fate.chance(0.5) ? main : fate.oneOf(crew));
		const stop = (who: Process) => {
			const ms = fate.between(5, 40) * SECOND;
			schedule.at(time, () => who.stop(ms));
		};
		const loseQueue = () => {
			for (const run of [...jobs, ...crew.flatMap(({ running }) => [...running])])
				run.isLost = true;
			jobs = [];
		};
		const deeds = [
			() => kill(main),
			() => kill(worker),
			() => kill(worker),
			() => crew.forEach((who) => kill(who)),
			() => [main, ...crew].forEach((who) => kill(who)),
			() => {
				for (let n = 0; n < 4; n++) kill(any(), time + n * fate.between(10, 40) * SECOND);
			},
			() => stop(worker),
			() => stop(main),
			() => crew.forEach(killAgain),
			...(isOne ? [] : [() => schedule.at(time, loseQueue), outage]),
		];
		fate.oneOf(deeds)();
	}

	/** Bursts, then a steady form, then a quiet one. */
	function plan() {
		let time = BEGIN + 10 * SECOND;
		while (all.length < count * 0.6) {
			for (let n = 0; n < PAGE; n++) complete(time + fate.between(0, 300));
			harm(time + fate.between(0, 3) * SECOND);
			if (fate.chance(0.5)) harm(time + fate.between(0, 15) * SECOND);
			time += fate.between(90, 240) * SECOND;
		}
		while (all.length < count * 0.9) {
			complete(time);
			if (fate.chance(0.04)) harm(time + fate.between(0, 2) * SECOND);
			time += 2 * SECOND;
		}
		while (all.length < count) {
			complete(time);
			if (fate.chance(0.25)) harm(time + fate.between(0, 3) * SECOND);
			time += fate.between(1, 30) * MINUTE;
		}
		return time + 60 * MINUTE;
	}

	/**
	 * How many responses had this fate:
	 *
	 * - `lost`: a look saw them, and no run put them out.
	 * - `cut`: every run that put them out was killed within its first ten seconds.
	 * - `gone`: as these two, but out of the page before a main process looked, or the next one did.
	 * - `unheard`: as these two, and the queue was lost: n8n never tells that the last run was cut off.
	 * - `same`: twice, as two processes were given them at the same instant.
	 * - `failed`: twice, as the store failed.
	 * - `edge`: twice, as n8n was killed when the first run had just ended, or had just lasted for ten seconds.
	 * - `twice`: for no such reason.
	 */
	function balance() {
		const none = { lost: 0, cut: 0, gone: 0, unheard: 0, same: 0, failed: 0, edge: 0, twice: 0 };
		const result = { once: 0, ...none };
		const isCut = ({ at, run }: Output) =>
			run.killedAt !== undefined && run.killedAt - at < timing.shortRunMs;
		const isEdge = ({ run }: Output) => {
			const { endedAt = Infinity, countsAsEndedAt = Infinity, hostDiedAt = Infinity } = run;
			return hostDiedAt < Math.min(endedAt, countsAsEndedAt) + END_WRITTEN_MS;
		};
		function fateOf(one: Response): keyof typeof result {
			const { outputs } = one;
			const first = outputs.findIndex((output) => !isCut(output));
			if (first < 0) {
				if (!one.isSeen || one.isForgotten) return 'gone';
				const last = outputs[outputs.length - 1];
				if (last === undefined) return 'lost';
				return last.run.isLost ? 'unheard' : 'cut';
			}
			const [output, next] = outputs.slice(first);
			if (next === undefined) return 'once';
			const areDeliveries = next.isDelivered && output.isDelivered;
			if (areDeliveries && next.at - output.at < 2 * SECOND) return 'same';
			if (next.isUnasked) return 'failed';
			return isEdge(output) ? 'edge' : 'twice';
		}
		for (const one of all) result[fateOf(one)]++;
		return { responses: all.length, ...result };
	}

	const end = plan();
	const { now } = Date;
	const { random: ownRandom } = Math;
	const { timeout } = AbortSignal;
	for (const clock of [Date, performance]) Object.assign(clock, { now: () => schedule.now });
	Object.assign(Math, { random });
	// No call takes that long, but a whole play does on a busy machine.
	Object.assign(AbortSignal, { timeout: () => new AbortController().signal });
	try {
		startMain();
		await schedule.run(end);
		return balance();
	} finally {
		Object.assign(Date, { now });
		delete (performance as Partial<Performance>).now;
		Object.assign(Math, { random: ownRandom });
		Object.assign(AbortSignal, { timeout });
	}
}
