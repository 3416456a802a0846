import { startClock } from '../../../../clock';
import { activate } from '../../../../in-process/hook';
import type { StartedTrigger, TriggerOptions } from '../../../../in-process/trigger';
import { startTrigger } from '../../../../in-process/trigger';
import type { ResponseEnvelope } from '../../../../../nodes/FormResponses/transport/types';
import { FORM_ID } from '../../../../samples';
import type { Reply } from '../../../../service';
import { fakeService, ok } from '../../../../service';
import { aWorkflow, inAnotherProcess, serveHooks } from '../trigger.fixture';

export const SINCE = '2026-03-01T12:00:00.000Z';

export const MINUTE = 60_000;

const LIST = `/forms/${FORM_ID}/responses`;

export type Scene = ReturnType<typeof aScene>;

/** A trigger that runs in n8n, and the service that it asks. */
export function aScene(parameters = {}) {
	const clock = startClock({ standing: true });
	const service = fakeService();
	let isStarted = false;
	const scene = {
		clock,
		service,
		/** What the service has, newest first; or how it fails to tell. */
		responses: [] as ResponseEnvelope[],
		failure: undefined as Reply | undefined,
		/** How often it will refuse to make a hook. */
		refusals: 0,
		/** When the service says that it makes hooks. */
		madeAt: SINCE,
		stored: aWorkflow(parameters),
		trigger: undefined as unknown as StartedTrigger,
		/** When the responses were read, in seconds since the clock was started. */
		looks: [] as number[],
		/** Lets minutes pass, at each of which n8n calls the trigger. */
		async minutes(count: number) {
			for (let n = 0; n < count; n++) {
				scene.trigger.tick();
				await clock.pass(MINUTE);
			}
		},
		/** Starts n8n with the workflow published: as another process, if it was started before. */
		async start(options: TriggerOptions = {}) {
			if (isStarted) scene.stored = inAnotherProcess(scene.stored);
			scene.trigger = await startTrigger(scene.stored, options);
			await activate(scene.stored, { activation: isStarted ? 'init' : 'activate' });
			isStarted = true;
		},
		/** Ends n8n in order. */
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
		scene.looks.push(Math.round(clock.elapsed() / 1_000));
		return scene.failure ?? ok({ data: scene.responses });
	});
	return scene;
}
