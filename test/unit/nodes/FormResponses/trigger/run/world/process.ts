import { emptyMemory } from '../../../../../../../nodes/FormResponses/trigger/state/memory';
import { loadCode } from './code';
import type { Run } from './history';
import { tellKilled } from './execution';
import { startTrigger } from './trigger';
import type { World } from './world';

export type Process = ReturnType<typeof aProcess>;

/** A process of n8n. What is planned in it dies with it, and waits while it is stopped. */
export function aProcess(world: World) {
	const { schedule, luck } = world;
	const after = (ms: number, act: () => void) => {
		const { life } = self;
		const go = () => {
			if (self.life !== life) return;
			if (self.isStopped()) schedule.at(self.stoppedUntil + luck.random(), go);
			else act();
		};
		schedule.at(schedule.now + ms, go);
	};
	const sleep = async (ms: number) => await new Promise<void>((wake) => after(ms, wake));
	const nothing = () => ({ memory: emptyMemory(), ran: [] as Run[], running: new Set<Run>() });
	const self = {
		...nothing(),
		code: loadCode(sleep),
		/** How often it was killed. */
		life: 0,
		isAlive: true,
		stoppedAt: 0,
		stoppedUntil: 0,
		/** When a call of the store failed last. */
		failedAt: -1,
		isStopped: (): boolean => schedule.now < self.stoppedUntil,
		after,
		sleep,
		stop(ms: number) {
			if (!self.isAlive) return;
			Object.assign(self, { stoppedAt: schedule.now, stoppedUntil: schedule.now + ms });
		},
		kill(downMs: number) {
			if (!self.isAlive) return;
			if (self === world.main) world.trigger.forget();
			// Killed while it was stopped is as good as killed then.
			const diedAt = self.isStopped() ? self.stoppedAt : schedule.now;
			for (const run of self.ran) run.hostDiedAt ??= diedAt;
			for (const run of self.running) tellKilled(run, world);
			Object.assign(self, { ...nothing(), life: self.life + 1, isAlive: false, stoppedUntil: 0 });
			schedule.at(schedule.now + downMs, () => {
				Object.assign(self, { isAlive: true, code: loadCode(sleep) });
				if (self === world.main) world.trigger = startTrigger(world);
				world.queue.take();
			});
		},
	};
	return self;
}
