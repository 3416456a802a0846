import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectN8n } from '../../../playground/n8n/client.mts';
import { installPackage } from '../../../playground/n8n/install-package.mts';
import { startN8n } from '../../../playground/n8n/instance.mts';
import type { InstanceOptions, N8nInstance } from '../../../playground/n8n/instance.mts';
import { installPeers } from '../peers/install.mts';
import { startService } from './service.mts';

/** A real n8n with the package and the peers, and the form service, each a process of its own. */
export async function openStage(
	start: (options: InstanceOptions) => Promise<N8nInstance> = startN8n,
) {
	const userFolder = await mkdtemp(join(tmpdir(), 'form-responses-bench-'));
	process.on('exit', () => rmSync(userFolder, { recursive: true, force: true, maxRetries: 5 }));
	const packageFolder = installPackage(userFolder);
	const peersFolder = installPeers(userFolder);
	const service = await startService();
	await service.reset();
	const instance = await start({ userFolder });
	const n8n = await connectN8n(instance.url);

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
		service,
		n8n,
		url: instance.url,
		packageFolder,
		peersFolder,
		credentials: {
			formResponsesApi: { id: apiKey.id, name: apiKey.name },
			formResponsesOAuth2Api: { id: oAuth2.id, name: oAuth2.name },
		},
		async close() {
			await instance.stop();
			await service.stop();
		},
	};
}

export type Stage = Awaited<ReturnType<typeof openStage>>;
