import { drawing } from './drawing';
import { fateOf, type Fate } from './fate';
import { aForm } from './form';
import { plan } from './plan';
import { aProcess } from './process';
import { aQueue } from './queue';
import { scheduleFrom } from './schedule';
import { aStore } from './store';
import { startTrigger } from './trigger';
import type { World } from './world';

export type { Fate };

const BEGIN = Date.parse('2026-03-01T12:00:00Z');

interface Deployment {
	/** 0 for an n8n of one process. */
	workers: number;
	/** How many runs a process takes at a time. */
	limit: number;
}

function aWorld(seed: number, { workers, limit }: Deployment): World {
	const world = { limit, isOne: workers === 0, schedule: scheduleFrom(BEGIN) } as World;
	world.luck = drawing(seed * 7_919 + workers);
	world.fate = drawing(seed * 104_729 + workers);
	world.form = aForm(world);
	world.store = aStore(world);
	world.queue = aQueue(world);
	const processes = (length: number) => Array.from({ length }, () => aProcess(world));
	world.main = aProcess(world);
	world.crew = world.isOne ? [world.main] : processes(workers);
	world.webs = world.isOne ? [world.main] : processes(2);
	return world;
}

const { now } = Date;
const { random } = Math;

/** Not by spies, as Jest would keep every call. */
function replaceClockAndChance({ schedule, luck }: World) {
	for (const clock of [Date, performance]) Object.assign(clock, { now: () => schedule.now });
	Object.assign(Math, { random: luck.random });
}

afterEach(() => {
	Object.assign(Date, { now });
	Object.assign(Math, { random });
	// Its own `now` is inherited. Jest's files share it.
	Reflect.deleteProperty(performance, 'now');
});

/** Sends responses through a world full of faults, and tells what became of each. All chance comes from the seed. */
export async function play(seed: number, count: number, deployment: Deployment): Promise<Fate[]> {
	const world = aWorld(seed, deployment);
	const end = plan(count, world);
	replaceClockAndChance(world);
	world.trigger = startTrigger(world);
	await world.schedule.run(end);
	return world.form.all.map(fateOf);
}
