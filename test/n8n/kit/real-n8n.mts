import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { N8nClient } from '../../../playground/n8n/client.mts';
import { packageFolderIn } from '../../../playground/n8n/install-package.mts';
import type { InstanceOptions } from '../../../playground/n8n/instance.mts';
import { type FormService, startFormService } from '../../../playground/service/client.mts';
import { credentialDrafts } from '../../../playground/start/credentials.mts';
import { attach, needsOwnN8n } from './attached-n8n.mts';
import { startWithTables } from './database.mts';
import { readRuns } from './run-outputs.mts';
import { sharedBySuite } from './shared-by-suite.mts';
import { type Credentials, workflowsIn } from './workflows.mts';

export interface RigOptions extends Partial<InstanceOptions> {
	startService?: () => Promise<FormService>;
}

interface Restart<Result> extends Pick<InstanceOptions, 'env'> {
	crash?: boolean;
	whileDown?: () => Promise<Result>;
}

/** Both credentials of a form service, connected. */
async function connectTo(n8n: N8nClient, serviceUrl: string) {
	const connected: Record<string, { id: string; name: string }> = {};
	for (const draft of credentialDrafts(serviceUrl)) {
		const { id, name } = await n8n.createCredential(draft);
		if (draft.type === 'formResponsesOAuth2Api') await n8n.authorizeOAuth2(id);
		connected[draft.type] = { id, name };
	}
	return connected as Credentials;
}

/** One as the form service hands it out, with other data; it is not connected. */
async function addCredential(
	n8n: N8nClient,
	serviceUrl: string,
	type: keyof Credentials,
	changes: Record<string, unknown>,
) {
	const { data, ...draft } = credentialDrafts(serviceUrl).find((one) => one.type === type)!;
	const { id, name } = await n8n.createCredential({ ...draft, data: { ...data, ...changes } });
	return { id, credentials: { [type]: { id, name } } };
}

/**
 * A real n8n with the package, the form service, and both credentials connected.
 *
 * @param into the object that is filled with it
 */
export async function openRig(
	{ startService = startFormService, ...options }: RigOptions = {},
	start = needsOwnN8n ? attach : startWithTables,
	into = {},
) {
	const userFolder = await mkdtemp(join(tmpdir(), 'form-responses-n8n-'));
	const services: FormService[] = [];
	const first = await start({ ...options, userFolder });
	const current = Object.assign(into, {
		instance: first,
		n8n: await first.connect(),
		/** When n8n was started last. */
		startedAt: Date.now(),
		/** When n8n was killed last, with all that it ran; 0 where it never was. */
		killedAt: 0,
	});

	/** A form service with both credentials connected to it; faults of one spare the others. */
	async function openService(startOne = startService) {
		const service = await startOne();
		services.push(service);
		await service.reset();
		return { service, credentials: await connectTo(current.n8n, service.url) };
	}

	const { service, credentials } = await openService();

	return Object.assign(current, {
		service,
		credentials,
		...workflowsIn(current, credentials),
		...readRuns(() => current.n8n),
		userFolder,
		packageFolder: packageFolderIn(userFolder),
		openService,
		/** Once more, with credentials of its own. */
		connectTo: async ({ url }: FormService) => await connectTo(current.n8n, url),
		addCredential: async (type: keyof Credentials, changes = {}, { url } = service) =>
			await addCredential(current.n8n, url, type, changes),

		/** Ends n8n, as a crash would if wanted, and starts it again in the same place, with another environment if given. */
		async restart<Result>({ crash, env = options.env, whileDown }: Restart<Result> = {}) {
			if (start === attach) throw new Error(String(needsOwnN8n));
			const { port, kill, stop } = current.instance;
			await (crash ? kill() : stop());
			if (crash) current.killedAt = Date.now();
			const done = await whileDown?.();
			current.instance = await start({ ...options, env, userFolder, port });
			current.n8n = await current.instance.connect();
			current.startedAt = Date.now();
			return done as Result;
		},

		async close() {
			await current.instance.stop();
			await Promise.all(services.map(async ({ close }) => await close()));
			await rm(userFolder, { recursive: true, force: true });
		},
	});
}

export type Rig = Awaited<ReturnType<typeof openRig>>;

/** A form service as n8n knows it. */
export type Connection = Pick<Rig, 'service' | 'credentials'>;

/** One for all tests of a suite. */
export const useRig = (prepare: () => Promise<RigOptions> = async () => ({})): Rig =>
	sharedBySuite(async (rig) => await openRig(await prepare(), undefined, rig));
