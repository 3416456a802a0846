import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

type Json = Record<string, unknown>;

export interface Envelope {
	event: string;
	createdAt: string;
	data: { responseId: string; formId: string; completedAt: string } & Json;
}

const main = resolve(import.meta.dirname, '../../../playground/service/main.mts');

const LABELS = ['Name', 'Email', 'Stars', 'Comment', 'Newsletter'];

/** In a process of its own, so that it takes no time of n8n's; without checks of its own answers. */
async function startProcess() {
	const child = spawn(process.execPath, [main], {
		env: { ...process.env, PORT: '0', DATA: ':memory:', VALIDATE_RESPONSES: 'false' },
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	process.on('exit', () => child.kill('SIGKILL'));
	const ended = once(child, 'exit');
	for await (const line of createInterface(child.stdout)) {
		const url = /ready at (\S+)/.exec(line)?.[1];
		if (url === undefined) continue;
		child.stdout.resume();
		const stop = async () => void (child.kill('SIGTERM'), await ended);
		return { url, stop };
	}
	throw new Error('The form service did not start.');
}

/** The playground's form service with the controls that the benchmarks need. */
export async function startService() {
	const { url, stop } = await startProcess();

	async function control<Answer>(method: string, path: string, body?: Json): Promise<Answer> {
		const response = await fetch(`${url}/playground${path}`, {
			method,
			headers: { 'content-type': 'application/json' },
			body: body && JSON.stringify(body),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
		return (text ? JSON.parse(text) : undefined) as Answer;
	}

	return {
		url,
		stop,
		baseUrl: `${url}/api/v1`,

		/** Empties the service but for access tokens, so that n8n stays connected. */
		reset: async () => await control('POST', '/reset', { keepTokens: true }),
		settings: async (settings: Json) => await control('PUT', '/settings', settings),
		addForms: async (count: number) =>
			(await control<{ forms: Array<{ id: string }> }>('POST', '/forms', { title: 'Form', count }))
				.forms,
		/** Responses with an answer for each label, delivered to nobody. */
		async addResponses(count: number, labels = LABELS): Promise<Envelope[]> {
			const fields = labels.map((label) => ({ label }));
			const { forms } = await control<{ forms: Array<{ id: string }> }>('POST', '/forms', {
				title: 'Feedback',
				fields,
			});
			const path = `/forms/${forms[0]!.id}/responses`;
			const made = { count, deliver: false, hiddenFields: { source: 'newsletter' } };
			return (await control<{ responses: Envelope[] }>('POST', path, made)).responses;
		},
		hooks: async () =>
			(await control<{ hooks: Array<{ formId: string; targetUrl: string }> }>('GET', '/hooks'))
				.hooks,
		forgetRequests: async () => await control('DELETE', '/requests'),
		requests: async () =>
			(await control<{ requests: Array<{ status: number }> }>('GET', '/requests')).requests,
		accessToken: async () =>
			(await control<{ accessToken: string }>('POST', '/tokens', {})).accessToken,
	};
}

export type Service = Awaited<ReturnType<typeof startService>>;
