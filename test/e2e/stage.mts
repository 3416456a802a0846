import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectN8n } from '../../playground/n8n/client.mts';
import { installPackage } from '../../playground/n8n/install-package.mts';
import type { PackageOptions } from '../../playground/n8n/install-package.mts';
import { startN8n } from '../../playground/n8n/instance.mts';
import type { InstanceOptions } from '../../playground/n8n/instance.mts';
import type { WorkflowDraft } from '../../playground/n8n/types.mts';
import { startFormService } from './service.mts';
import type { FormService } from './service.mts';

export type NodeDraft = WorkflowDraft['nodes'][number];
type Json = Record<string, unknown>;

export const PACKAGE = 'n8n-nodes-form-responses';
export const TRIGGER = 'Form Responses Trigger';
export const ACTION = 'Form Responses';

/** A real n8n with the package, the form service, and both credentials connected. */
export async function openStage(
	{ timing, ...options }: Partial<InstanceOptions> & PackageOptions = {},
	start = startN8n,
) {
	const userFolder = await mkdtemp(join(tmpdir(), 'form-responses-n8n-'));
	const services: FormService[] = [];
	installPackage(userFolder, { timing });
	let instance = await start({ ...options, userFolder });
	let n8n = await connectN8n(instance.url);

	/** A form service with both credentials connected to it; faults of one spare the others. */
	async function openService() {
		const service = await startFormService();
		services.push(service);
		await service.reset();
		return { service, credentials: await connectTo(service) };
	}

	async function connectTo(service: FormService) {
		const apiKey = await n8n.createCredential({
			name: 'API key',
			type: 'formResponsesApi',
			data: { baseUrl: service.baseUrl, apiKey: 'live_playground_key' },
		});
		const oAuth2 = await n8n.createCredential({
			name: 'OAuth2',
			type: 'formResponsesOAuth2Api',
			data: {
				baseUrl: service.baseUrl,
				grantType: 'authorizationCode',
				authUrl: `${service.url}/oauth/authorize`,
				accessTokenUrl: `${service.url}/oauth/token`,
				clientId: 'playground',
				clientSecret: 'playground-secret',
				scope: 'forms:read responses:read hooks:write',
				authQueryParameters: '',
				authentication: 'header',
			},
		});
		await n8n.authorizeOAuth2(oAuth2.id);
		return {
			formResponsesApi: { id: apiKey.id, name: apiKey.name },
			formResponsesOAuth2Api: { id: oAuth2.id, name: oAuth2.name },
		};
	}

	const { service, credentials } = await openService();

	function node(name: string, type: string, parameters: Json, extra: Json = {}): NodeDraft {
		return {
			id: crypto.randomUUID(),
			name,
			type,
			typeVersion: 1,
			position: [0, 0],
			parameters,
			...extra,
		} as NodeDraft;
	}

	/** What runs that have ended gave out does not change, so it is read once. */
	const outputOfRun = new Map<string, Json[]>();
	async function readOutput(id: string, trigger: string): Promise<Json[]> {
		const items = n8n.nodeOutput(await n8n.execution(id), trigger);
		const output = items.map(({ json }) => json);
		outputOfRun.set(`${id} ${trigger}`, output);
		return output;
	}

	return {
		service,
		credentials,
		userFolder,
		openService,
		connectTo,
		get n8n() {
			return n8n;
		},
		get instance() {
			return instance;
		},

		/** The trigger alone in a workflow of its own. */
		async addTriggerWorkflow(
			formId: string,
			parameters: Json = {},
			others: NodeDraft[] = [],
			extra: Json = {},
		) {
			const trigger = node(
				TRIGGER,
				`${PACKAGE}.formResponsesTrigger`,
				{ formId: { __rl: true, mode: 'id', value: formId }, ...parameters },
				{ credentials, webhookId: crypto.randomUUID(), ...extra },
			);
			return await n8n.createWorkflow({
				name: `Trigger ${crypto.randomUUID()}`,
				nodes: [trigger, ...others],
				connections: others.length
					? { [TRIGGER]: { main: [[{ node: others[0]!.name, type: 'main', index: 0 }]] } }
					: {},
			});
		},

		node,

		/** The responses that the trigger gave out in all runs of the workflow, oldest first. */
		async outputOf(workflowId: string, trigger = TRIGGER): Promise<Json[]> {
			const summaries = await n8n.executions({ workflowId });
			const ended = summaries.filter(({ status }) => status === 'success' || status === 'error');
			const outputs = await Promise.all(
				ended
					.reverse()
					.map(
						async ({ id }) =>
							outputOfRun.get(`${id} ${trigger}`) ?? (await readOutput(id, trigger)),
					),
			);
			return outputs.flat();
		},

		/** Runs the action node once by hand for the given input items; gives its execution. */
		async runAction(parameters: Json, inputs: Json[] = [{}], extra: Json = {}) {
			const manual = node('Start', 'n8n-nodes-base.manualTrigger', {});
			const items = node(
				'Items',
				'n8n-nodes-base.code',
				{ jsCode: `return ${JSON.stringify(inputs.map((json) => ({ json })))};` },
				{ typeVersion: 2 },
			);
			const action = node(ACTION, `${PACKAGE}.formResponses`, parameters, {
				credentials,
				...extra,
			});
			const link = (name: string) => ({
				main: [[{ node: name, type: 'main' as const, index: 0 }]],
			});
			const workflow = await n8n.createWorkflow({
				name: `Action ${crypto.randomUUID()}`,
				nodes: [manual, items, action],
				connections: { Start: link('Items'), Items: link(ACTION) },
			});
			await n8n.runManually(workflow.id, { destinationNode: ACTION });
			return await n8n.waitForExecution(workflow.id, { timeoutMs: 60_000 });
		},

		/** Ends n8n as a crash would, and starts it again in the same place. */
		async restart({ crash = false, whileDown = async () => {} } = {}) {
			await (crash ? instance.kill() : instance.stop());
			await whileDown();
			instance = await start({ ...options, userFolder, port: instance.port });
			n8n = await connectN8n(instance.url);
		},

		async close() {
			await instance.stop();
			await Promise.all(services.map(async ({ close }) => await close()));
			await rm(userFolder, { recursive: true, force: true });
		},
	};
}

/** A form service as n8n knows it. */
export type Connection = Pick<Awaited<ReturnType<typeof openStage>>, 'service' | 'credentials'>;

export type Stage = Awaited<ReturnType<typeof openStage>>;
