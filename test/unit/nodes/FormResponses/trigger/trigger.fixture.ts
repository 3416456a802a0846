import type { IDataObject } from 'n8n-workflow';
import type * as Node from '../../../../../nodes/FormResponses/FormResponsesTrigger.node';
import { FormResponsesTrigger } from '../../../../../nodes/FormResponses/FormResponsesTrigger.node';
import { received, type Received } from '../../../../../nodes/FormResponses/trigger/runInput';
import { memoryOf } from '../../../../../nodes/FormResponses/trigger/state/memory';
import type { TriggerState } from '../../../../../nodes/FormResponses/trigger/state/triggerState';
import { changeHooks } from '../../../../../nodes/FormResponses/trigger/subscribe/spareHook';
import type { ResponseEnvelope } from '../../../../../nodes/FormResponses/transport/types';
import type { Clock } from '../../../kit/clock';
import { activate } from '../../../kit/hookMethods';
import { inNewProcess } from '../../../kit/inNewProcess';
import { queryOf } from '../../../kit/delivery';
import { aTriggerContext } from '../../../kit/trigger';
import { NODE_NAME, type Stored } from '../../../kit/workflow';
import { aHook, FORM_ID, idOf } from '../../../kit/samples';
import { reply, type FakeService, type Reply } from '../../../kit/formService';

export const trigger = new FormResponsesTrigger();

let count = 0;

/** A workflow of its own with the trigger, so that no test knows what another one left behind. */
export function aWorkflow(own: IDataObject = {}, more: Partial<Stored> = {}): Stored {
	const formId = { __rl: true, mode: 'list', value: FORM_ID };
	const parameters = { formId, ...own } as Stored['parameters'];
	return { type: trigger, workflowId: `workflow-${++count}`, parameters, ...more };
}

/** The same workflow in another process of n8n: it knows what is stored, and nothing else. */
export function inAnotherProcess(stored: Stored): Stored {
	const path = '../../../../../nodes/FormResponses/FormResponsesTrigger.node';
	const code = inNewProcess(() => jest.requireActual<typeof Node>(path));
	const rest = structuredClone({ ...stored, type: undefined });
	return { ...rest, type: new code.FormResponsesTrigger() };
}

/** What the node has stored; undefined where it has nothing. */
export function stateIn({ staticData }: Stored): TriggerState | undefined {
	const state = staticData?.[`node:${NODE_NAME}`] as TriggerState | undefined;
	return state && Object.keys(state).length > 0 ? state : undefined;
}

/** Makes hooks numbered from 1, echoes their form and URL, and removes any. */
export function serveHooks(
	service: FakeService,
	createdAt = () => '2026-03-01T12:00:00.000Z',
	refusal: () => Reply | undefined = () => undefined,
) {
	let made = 0;
	const make = (body: unknown) =>
		reply(201, aHook({ ...(body as object), id: idOf(++made, 5), createdAt: createdAt() }));
	service.always('POST', '/hooks', ({ body }) => refusal() ?? make(body));
	service.always('DELETE', /^\/hooks\//, reply(204));
}

/** The target URLs that the service was given, the last one last. */
export const targetsOf = ({ sent }: FakeService): string[] =>
	sent
		.filter(({ method, path }) => method === 'POST' && path === '/hooks')
		.map(({ body }) => (body as { targetUrl: string }).targetUrl);

/** The query of the deliveries to the hook that was made last. */
export const currentQuery = (service: FakeService): Record<string, string> =>
	queryOf(targetsOf(service).pop()!);

/** A workflow whose trigger is subscribed. */
export async function activated(service: FakeService, parameters: IDataObject = {}) {
	serveHooks(service);
	const stored = aWorkflow(parameters);
	await activate(stored);
	return stored;
}

/** What a running trigger does of itself about its hooks, where that is due or the one it has is in doubt. */
export async function changeHooksOf(stored: Stored, isDoubted = false) {
	const { context } = aTriggerContext(stored);
	return await changeHooks(context, memoryOf(context), () => isDoubted);
}

/** The items of a run that pushed responses start. */
export const pushed = (...envelopes: ResponseEnvelope[]): IDataObject[] =>
	envelopes.map((envelope) => received({ envelope, isRecovered: false }).json);

/** The items of a run that recovery starts, the oldest response first. */
export const recovered = (
	envelopes: ResponseEnvelope[],
	{ isOldestShown = false, ...more }: Partial<Received> = {},
): IDataObject[] =>
	envelopes.map((envelope, index) => {
		const isOldest = isOldestShown && index === 0;
		return received({ envelope, isRecovered: true, isOldestShown: isOldest, ...more }).json;
	});

/** The ids of the responses in each run. */
export const idsIn = (runs: IDataObject[][]): string[][] =>
	runs.map((run) =>
		run.map(({ envelope }) => (envelope as unknown as ResponseEnvelope).data.responseId),
	);

/** Moves a standing clock on until the work is done, in steps that are small beside its waits. */
export async function whileTimePasses<Result>(clock: Clock, work: Promise<Result>) {
	let isOver = false;
	const end = () => (isOver = true);
	work.then(end, end);
	while (!isOver) await clock.pass(100);
	return await work;
}
