import { startClock } from '../../../../kit/clock';
import { activate } from '../../../../kit/hookMethods';
import { startTrigger, type StartedTrigger, type TriggerOptions } from '../../../../kit/trigger';
import type { ResponseEnvelope } from '../../../../../../nodes/FormResponses/transport/types';
import { anError, aResponse, FORM_ID, idOf } from '../../../../kit/samples';
import { fakeService, ok, reply, type Reply } from '../../../../kit/formService';
import { aWorkflow, inAnotherProcess, serveHooks } from '../trigger.fixture';

export const SINCE = '2026-03-01T12:00:00.000Z';

export const MINUTE = 60_000;

const LIST = `/forms/${FORM_ID}/responses`;

export type Scene = ReturnType<typeof aScene>;

function serve(scene: Scene): void {
	const { clock, service } = scene;
	const refusal = () => (scene.refusals-- > 0 ? scene.refusal : undefined);
	serveHooks(service, () => scene.madeAt, refusal);
	service.always('GET', LIST, () => {
		scene.looks.push(Math.round(clock.elapsed() / 1_000));
		const completedAt = new Date(clock.now()).toISOString();
		const next = aResponse({ responseId: idOf(scene.looks.length, 2), completedAt });
		if (scene.isBusy) scene.responses = [next, ...scene.responses].slice(0, 25);
		return scene.failure ?? ok({ data: scene.responses }, scene.headers);
	});
	service.always('GET', /^\/responses\//, ({ path }) => {
		const shown = scene.responses.find(({ data }) => path.endsWith(data.responseId));
		return shown ? ok(shown) : reply(404, anError('not_found', 'No such response'));
	});
}

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
		headers: {},
		/** Whether there is a new response each time it is asked for them: no hook is as fast. */
		isBusy: false,
		/** How often it will refuse to make a hook, and how. */
		refusals: 0,
		refusal: reply(503),
		/** When the service says that it makes hooks. */
		madeAt: SINCE,
		stored: aWorkflow(parameters),
		trigger: undefined as unknown as StartedTrigger,
		/** When the responses were read, in seconds since the clock was started. */
		looks: [] as number[],
		/** The seconds from look to look. */
		gaps: () => scene.looks.slice(1).map((second, n) => second - scene.looks[n]),
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
	serve(scene);
	return scene;
}
