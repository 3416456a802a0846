import type { Drawing } from './drawing';
import type { Form } from './form';
import type { Process } from './process';
import type { Queue } from './queue';
import type { Schedule } from './schedule';
import type { Store } from './store';
import type { Trigger } from './trigger';

/** n8n and the form service, as far as the trigger meets them. */
export interface World {
	schedule: Schedule;
	/** Decides what happens while the world runs, in the package as well. */
	luck: Drawing;
	/** Decides what is planned before. */
	fate: Drawing;
	form: Form;
	/** Whether n8n is one process, without a queue. */
	isOne: boolean;
	main: Process;
	/** The processes that receive deliveries. */
	webs: Process[];
	/** The processes that execute runs. */
	crew: Process[];
	/** How many runs a process takes at a time. */
	limit: number;
	queue: Queue;
	store: Store;
	/** In main, since its last start. */
	trigger: Trigger;
}
