import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { N8nClient } from '../../../playground/n8n/client.mts';
import { packageFolderIn } from '../../../playground/n8n/install-package.mts';
import { startN8n, type InstanceOptions } from '../../../playground/n8n/instance.mts';
import { credentialDrafts } from '../../../playground/start/credentials.mts';
import { attach, needsOwnN8n } from './attached-n8n.mts';
import {
	ACTION,
	byId,
	codeNode,
	inARow,
	node,
	PACKAGE,
	TRIGGER,
	type NodeDraft,
} from './workflow-nodes.mts';
import { readRuns } from './run-outputs.mts';
import { startFormService, type FormService } from '../../../playground/service/client.mts';

type Json = Record<string, unknown>;
type Reference = { id: string; name: string };
type Credentials = Record<'formResponsesApi' | 'formResponsesOAuth2Api', Reference>;

interface RigOptions extends Partial<InstanceOptions> {
	startService?: () => Promise<FormService>;
}

interface Restart extends Pick<InstanceOptions, 'env'> {
	crash?: boolean;
	whileDown?: () => Promise<void>;
}

/** Both credentials of a form service, connected; by type, as a node has them. */
async function connectTo(n8n: N8nClient, serviceUrl: string) {
	const connected: Record<string, Reference> = {};
	for (const draft of credentialDrafts(serviceUrl)) {
		const { id, name } = await n8n.createCredential(draft);
		if (draft.type === 'formResponsesOAuth2Api') await n8n.authorizeOAuth2(id);
		connected[draft.type] = { id, name };
	}
	return connected as Credentials;
}

/** Adds workflows to the n8n that runs at the time. */
function additionsTo(current: { n8n: N8nClient }, credentials: Credentials) {
	const addWorkflow = async (nodes: NodeDraft[]) =>
		await current.n8n.createWorkflow({
			name: `${ACTION} ${crypto.randomUUID()}`,
			nodes,
			connections: inARow(nodes),
		});

	return {
		/** The trigger in a workflow of its own, with what runs after it. */
		async addTriggerWorkflow(
			formId: string,
			parameters: Json = {},
			others: NodeDraft[] = [],
			extra: Json = {},
		) {
			const trigger = node(
				TRIGGER,
				`${PACKAGE}.formResponsesTrigger`,
				{ formId: byId(formId), ...parameters },
				{ credentials, webhookId: crypto.randomUUID(), ...extra },
			);
			return await addWorkflow([trigger, ...others]);
		},

		/** Saves other options of the trigger; they count once the workflow is published. */
		async changeOptions(workflowId: string, options: Json) {
			const { nodes } = await current.n8n.workflow(workflowId);
			Object.assign(nodes.find(({ name }) => name === TRIGGER)!.parameters, { options });
			await current.n8n.updateWorkflow(workflowId, { nodes });
		},

		/** Runs the action node once by hand for the given input items; gives its execution. */
		async runAction(parameters: Json, inputs: Json[] = [{}], extra: Json = {}) {
			const items = JSON.stringify(inputs.map((json) => ({ json })));
			const { id } = await addWorkflow([
				node('Start', 'n8n-nodes-base.manualTrigger'),
				codeNode('Items', `return ${items};`),
				node(ACTION, `${PACKAGE}.formResponses`, parameters, { credentials, ...extra }),
			]);
			await current.n8n.runManually(id, { destinationNode: ACTION });
			return await current.n8n.waitForExecution(id, { timeoutMs: 60_000 });
		},
	};
}

/** A real n8n with the package, the form service, and both credentials connected. */
export async function openRig(
	{ startService = startFormService, ...options }: RigOptions = {},
	start = needsOwnN8n ? attach : startN8n,
) {
	const userFolder = await mkdtemp(join(tmpdir(), 'form-responses-n8n-'));
	const services: FormService[] = [];
	const first = await start({ ...options, userFolder });
	const current = {
		instance: first,
		n8n: await first.connect(),
		/** When n8n was started last. */
		startedAt: Date.now(),
		/** When n8n was killed last, with all that it ran; 0 where it never was. */
		killedAt: 0,
	};

	/** A form service with both credentials connected to it; faults of one spare the others. */
	async function openService(startOne = startService) {
		const service = await startOne();
		services.push(service);
		await service.reset();
		return { service, credentials: await connectTo(current.n8n, service.url) };
	}

	const { service, credentials } = await openService();
	const runsOf = readRuns(() => current.n8n);

	return Object.assign(current, {
		service,
		credentials,
		...additionsTo(current, credentials),
		userFolder,
		packageFolder: packageFolderIn(userFolder),
		openService,
		/** Once more, with credentials of its own. */
		connectTo: async ({ url }: FormService) => await connectTo(current.n8n, url),
		runsOf,
		/** The responses that the trigger gave out in all runs of the workflow, oldest first. */
		outputOf: async (workflowId: string, trigger = TRIGGER) =>
			(await runsOf(workflowId, trigger)).flatMap(({ output }) => output),

		/** Ends n8n, as a crash would if wanted, and starts it again in the same place, with another environment if given. */
		async restart({ crash = false, env = options.env, whileDown = async () => {} }: Restart = {}) {
			if (start === attach) throw new Error(String(needsOwnN8n));
			const { port, kill, stop } = current.instance;
			await (crash ? kill() : stop());
			if (crash) current.killedAt = Date.now();
			await whileDown();
			current.instance = await start({ ...options, env, userFolder, port });
			current.n8n = await current.instance.connect();
			current.startedAt = Date.now();
		},

		async close() {
			await current.instance.stop();
			await Promise.all(services.map(async ({ close }) => await close()));
			await rm(userFolder, { recursive: true, force: true });
		},
	});
}

/** A form service as n8n knows it. */
export type Connection = Pick<Awaited<ReturnType<typeof openRig>>, 'service' | 'credentials'>;

export type Rig = Awaited<ReturnType<typeof openRig>>;
