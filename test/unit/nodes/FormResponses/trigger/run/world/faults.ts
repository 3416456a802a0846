import type { Process } from './process';
import { MINUTE, SECOND } from './schedule';
import type { World } from './world';

/** Plans one of the faults that can befall n8n. */
export function faultsIn({ schedule, fate, main, crew, queue, isOne }: World) {
	const seconds = (from: number, to: number) => fate.between(from, to) * SECOND;
	const kill = (who: Process, at: number) => {
		const downMs = seconds(5, 60);
		schedule.at(at, () => who.kill(downMs));
	};
	const killTwice = (who: Process, at: number) => {
		const downMs = seconds(5, 60);
		const again = at + downMs + seconds(0, 15);
		for (const when of [at, again]) schedule.at(when, () => who.kill(downMs));
	};
	const any = () => (fate.chance(0.5) ? main : fate.oneOf(crew));
	const stop = (who: Process, at: number) => {
		const ms = seconds(5, 40);
		schedule.at(at, () => who.stop(ms));
	};
	/** Lasts longer than main waits for news of a run. */
	const outage = (worker: Process, at: number) => {
		kill(worker, at);
		const begin = at + seconds(30, 150);
		const downMs = fate.between(6, 14) * MINUTE;
		for (const who of crew) schedule.at(begin, () => who.kill(downMs));
	};
	const faults: Array<(worker: Process, at: number) => void> = [
		(_, at) => kill(main, at),
		kill,
		kill,
		(_, at) => crew.forEach((who) => kill(who, at)),
		(_, at) => [main, ...crew].forEach((who) => kill(who, at)),
		(_, at) => [0, 1, 2, 3].forEach((n) => kill(any(), at + n * seconds(10, 40))),
		stop,
		(_, at) => stop(main, at),
		(_, at) => crew.forEach((who) => killTwice(who, at)),
	];
	if (!isOne) faults.push((_, at) => schedule.at(at, queue.lose), outage);
	return (at: number) => {
		const worker = fate.oneOf(crew);
		fate.oneOf(faults)(worker, at);
	};
}
