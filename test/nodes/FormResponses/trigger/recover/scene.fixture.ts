import type { Clock } from '../../../../clock';
import { startClock } from '../../../../clock';
import type { HookOptions } from '../../../../in-process/hook';
import { activate, deactivate } from '../../../../in-process/hook';
import type { StartedTrigger, TriggerOptions } from '../../../../in-process/trigger';
import { startTrigger } from '../../../../in-process/trigger';
import type { Stored } from '../../../../in-process/workflow';
import type { ResponseEnvelope } from '../../../../../nodes/FormResponses/transport/types';
import { FORM_ID } from '../../../../samples';
import type { FakeService, Reply } from '../../../../service';
import { fakeService, ok } from '../../../../service';
import { aWorkflow, inAnotherProcess, serveHooks } from '../trigger.fixture';

export const SINCE = '2026-03-01T12:00:00.000Z';

export const MINUTE = 60_000;

const LIST = `/forms/${FORM_ID}/responses`;

/** A trigger that runs in n8n, and the service that it asks. */
export interface Scene {
	clock: Clock;
	service: FakeService;
	/** What the service has, newest first; or how it fails to tell. */
	responses: ResponseEnvelope[];
	failure?: Reply;
	/** How often it will refuse to make a hook. */
	refusals: number;
	/** When the service says that it makes hooks. */
	madeAt: string;
	stored: Stored;
	trigger: StartedTrigger;
	/** When the responses were read, in seconds since the clock was started. */
	readonly looks: number[];
	/** Lets minutes pass, at each of which n8n calls the trigger. */
	minutes(count: number): Promise<void>;
	/** Starts n8n with the workflow published: as another process, if it was started before. */
	start(options?: TriggerOptions & HookOptions): Promise<void>;
	/** What n8n does, one after the other, when a published workflow is published again. */
	unpublish(): Promise<void>;
	publishAgain(): Promise<void>;
	/** Ends n8n in order. */
	stop(): Promise<void>;
}

export function aScene(parameters = {}): Scene {
	const clock = startClock({ standing: true });
	const service = fakeService();
	const looks: number[] = [];
	let isStarted = false;
	const scene: Scene = {
		clock,
		service,
		responses: [],
		refusals: 0,
		madeAt: SINCE,
		stored: aWorkflow(parameters),
		trigger: undefined as unknown as StartedTrigger,
		looks,
		async minutes(count) {
			for (let n = 0; n < count; n++) {
				scene.trigger.tick();
				await clock.pass(MINUTE);
			}
		},
		async start({ activation, ...options } = {}) {
			if (isStarted) scene.stored = inAnotherProcess(scene.stored);
			scene.trigger = await startTrigger(scene.stored, options);
			await activate(scene.stored, { activation: activation ?? (isStarted ? 'init' : 'activate') });
			isStarted = true;
		},
		async unpublish() {
			await scene.trigger.close();
			await deactivate(scene.stored);
		},
		async publishAgain() {
			scene.trigger = await startTrigger(scene.stored);
			await activate(scene.stored, { activation: 'update' });
		},
		async stop() {
			await scene.trigger.close();
			clock.kill();
		},
	};
	serveHooks(
		service,
		() => scene.madeAt,
		() => scene.refusals-- > 0,
	);
	service.always('GET', LIST, () => {
		looks.push(Math.round(clock.elapsed() / 1_000));
		return scene.failure ?? ok({ data: scene.responses });
	});
	return scene;
}
