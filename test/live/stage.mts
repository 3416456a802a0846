import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectN8n } from '../../playground/n8n/client.mts';
import { installPackage } from '../../playground/n8n/install-package.mts';
import type { PackageOptions } from '../../playground/n8n/install-package.mts';
import { startN8n } from '../../playground/n8n/instance.mts';
import type { InstanceOptions } from '../../playground/n8n/instance.mts';
import { connectTo } from './connect.mts';
import { ACTION, codeNode, inARow, node, PACKAGE, TRIGGER } from './drafts.mts';
import type { NodeDraft } from './drafts.mts';
import { readOutputs } from './outputs.mts';
import { startFormService } from './service.mts';
import type { FormService } from './service.mts';

type Json = Record<string, unknown>;

interface StageOptions extends Partial<InstanceOptions>, PackageOptions {
	/** Puts more beside the package. */
	alsoInstall?: (userFolder: string) => void;
	startService?: () => Promise<FormService>;
}

/** A real n8n with the package, the form service, and both credentials connected. */
export async function openStage(
	{
		timing,
		alsoInstall = () => {},
		startService = startFormService,
		...options
	}: StageOptions = {},
	start = startN8n,
) {
	const userFolder = await mkdtemp(join(tmpdir(), 'form-responses-n8n-'));
	const services: FormService[] = [];
	const packageFolder = installPackage(userFolder, { timing });
	alsoInstall(userFolder);
	let instance = await start({ ...options, userFolder });
	let n8n = await connectN8n(instance.url);
	let startedAt = Date.now();
	let killedAt = 0;

	/** A form service with both credentials connected to it; faults of one spare the others. */
	async function openService() {
		const service = await startService();
		services.push(service);
		await service.reset();
		return { service, credentials: await connectTo(n8n, service.url) };
	}

	const { service, credentials } = await openService();

	return {
		service,
		credentials,
		userFolder,
		packageFolder,
		openService,
		/** Once more, with credentials of its own. */
		connectTo: async ({ url }: FormService) => await connectTo(n8n, url),
		outputOf: readOutputs(() => n8n),
		get n8n() {
			return n8n;
		},
		get instance() {
			return instance;
		},
		/** When n8n was started last. */
		get startedAt() {
			return startedAt;
		},
		/** When n8n was killed last, with all that it ran; 0 where it never was. */
		get killedAt() {
			return killedAt;
		},

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
				{ formId: { __rl: true, mode: 'id', value: formId }, ...parameters },
				{ credentials, webhookId: crypto.randomUUID(), ...extra },
			);
			const nodes = [trigger, ...others];
			return await n8n.createWorkflow({
				name: `Trigger ${crypto.randomUUID()}`,
				nodes,
				connections: inARow(nodes),
			});
		},

		/** Runs the action node once by hand for the given input items; gives its execution. */
		async runAction(parameters: Json, inputs: Json[] = [{}], extra: Json = {}) {
			const items = JSON.stringify(inputs.map((json) => ({ json })));
			const nodes = [
				node('Start', 'n8n-nodes-base.manualTrigger'),
				codeNode('Items', `return ${items};`),
				node(ACTION, `${PACKAGE}.formResponses`, parameters, { credentials, ...extra }),
			];
			const workflow = await n8n.createWorkflow({
				name: `Action ${crypto.randomUUID()}`,
				nodes,
				connections: inARow(nodes),
			});
			await n8n.runManually(workflow.id, { destinationNode: ACTION });
			return await n8n.waitForExecution(workflow.id, { timeoutMs: 60_000 });
		},

		/** Ends n8n, as a crash would if wanted, and starts it again in the same place. */
		async restart({ crash = false, whileDown = async () => {} } = {}) {
			await (crash ? instance.kill() : instance.stop());
			if (crash) killedAt = Date.now();
			await whileDown();
			instance = await start({ ...options, userFolder, port: instance.port });
			n8n = await connectN8n(instance.url);
			startedAt = Date.now();
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
