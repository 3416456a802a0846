import { execute } from './execution';
import type { Run } from './history';
import type { World } from './world';

/** n8n's queue: what waits in it survives the death of a process. */
export function aQueue(world: World) {
	const { schedule, luck } = world;
	let waiting: Run[] = [];

	function take() {
		for (;;) {
			const free = world.crew
				.filter((process) => process.isAlive && !process.isStopped())
				.filter(({ running }) => running.size < world.limit);
			if (waiting.length === 0 || free.length === 0) return;
			void execute(luck.oneOf(free), waiting.shift()!, world);
		}
	}

	return {
		add(run: Run) {
			waiting.push(run);
			schedule.at(schedule.now + luck.between(5, 30), take);
		},
		take,
		/** As when Redis is emptied: main never hears of what waited or runs. */
		lose() {
			const running = world.crew.flatMap((process) => [...process.running]);
			for (const run of [...waiting, ...running]) run.isLost = true;
			waiting = [];
		},
	};
}

export type Queue = ReturnType<typeof aQueue>;
