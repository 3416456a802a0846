import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { InstanceOptions } from './instance.mts';
import { n8nLocation } from './location.mts';
import { freePort, host } from '../ports.mts';
import { activationEngines } from './version.mts';

export type ActivationEngine = 'publication' | 'activeWorkflowManager';

const foreignSettings = /^(N8N|DB|EXECUTIONS|QUEUE|WEBHOOK|CREDENTIALS|GENERIC|NODE_FUNCTION)_/;

/** The caller's environment, without settings for another n8n. */
const inherited = () =>
	Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreignSettings.test(name)));

/** Disables what n8n sends or fetches on its own: telemetry, catalogues, banners, licence. */
const quiet = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	// After a slow ping of its database, n8n answers 503 for seconds (n8n, db-connection.ts); busy machines are slow.
	DB_PING_TIMEOUT_MS: '60000',
	// The default of n8n 2. Without it, n8n 1 mixes up the transactions of calls at the same time, and answers 500.
	DB_SQLITE_POOL_SIZE: '3',
};

/** No workflow uses them, and loading them is a quarter of a start; the registry fetches a catalogue as well. */
const UNUSED = ['agents', 'chat-hub', 'insights', 'instance-ai', 'mcp', 'mcp-registry', 'otel'];

/** n8n rejects names of modules it does not have. */
function unusedModules(n8nFolder: string): string {
	const modules = join(n8nFolder, 'node_modules', 'n8n', 'dist', 'modules');
	return UNUSED.filter((name) => existsSync(join(modules, name))).join(',');
}

export async function n8nEnvironment(
	userFolder: string,
	port: number,
	{ engine = activationEngines()[0], hasEditor = false, env }: InstanceOptions,
): Promise<NodeJS.ProcessEnv> {
	const { folder, path } = n8nLocation();
	const url = `http://localhost:${port}/`;
	return {
		...inherited(),
		...quiet,
		PATH: path,
		N8N_DISABLED_MODULES: unusedModules(folder),
		NODE_COMPILE_CACHE: join(folder, 'node_modules', '.cache', 'compiled'),
		N8N_USER_FOLDER: userFolder,
		N8N_ENCRYPTION_KEY: 'form-responses-playground',
		N8N_LISTEN_ADDRESS: host,
		N8N_PORT: String(port),
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		N8N_EDITOR_BASE_URL: url,
		WEBHOOK_URL: url,
		N8N_SECURE_COOKIE: 'false',
		N8N_LOG_LEVEL: 'info',
		N8N_DISABLE_UI: String(!hasEditor),
		N8N_USE_WORKFLOW_PUBLICATION_SERVICE: String(engine === 'publication'),
		...env,
	};
}
