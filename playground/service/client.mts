import { host as ownHost } from '../ports.mts';
import type { Settings } from './settings.mts';
import type { FaultRequest } from './faults/fault.mts';
import type { RequestRecord } from './request-log.mts';
import { startService } from './start.mts';
import type { Delivery, Envelope, Form, Hook } from './types.mts';

export type { Envelope, Form, Hook };

type Json = Record<string, unknown>;

/** Each control answers with some of these. */
interface Answers {
	id: string;
	forms: Form[];
	responses: Envelope[];
	response: Envelope;
	hooks: Hook[];
	deliveries: Delivery[];
	requests: RequestRecord[];
	accessToken: string;
	found: number;
}

/** Subscribes over the API, as any program does. */
async function subscribe(url: string, token: string, hook: Pick<Hook, 'formId' | 'targetUrl'>) {
	const answer = await fetch(`${url}/api/v1/hooks`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
		body: JSON.stringify(hook),
	});
	if (!answer.ok) throw new Error(`POST /hooks: ${answer.status} ${await answer.text()}`);
	return (await answer.json()) as Hook;
}

/** Calls the controls of a form service that listens at this address. */
export function formServiceAt(url: string, close: () => Promise<void>) {
	async function control(method: string, path: string, body?: object): Promise<Answers> {
		const answer = await fetch(`${url}/playground${path}`, {
			method,
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});
		const text = await answer.text();
		if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
		return (text ? JSON.parse(text) : undefined) as Answers;
	}

	const addForms = async (form: Json) => (await control('POST', '/forms', form)).forms;
	const accessToken = async (scope?: string) =>
		(await control('POST', '/tokens', { scope })).accessToken;
	const hooks = async () => (await control('GET', '/hooks')).hooks;
	const requests = async () => (await control('GET', '/requests')).requests;

	return {
		url,
		baseUrl: `${url}/api/v1`,
		close,
		control,

		/** Empties the service; access tokens stay valid, so that n8n stays connected. */
		reset: async () => await control('POST', '/reset', { keepTokens: true }),
		settings: async (settings: Partial<Settings>) => await control('PUT', '/settings', settings),
		addFault: async (fault: FaultRequest) => await control('POST', '/faults', fault),
		removeFault: async ({ id }: { id: string }) => await control('DELETE', `/faults/${id}`),
		clearFaults: async () => await control('DELETE', '/faults'),
		expireTokens: async () => await control('POST', '/tokens/expire'),
		/** Counts the access and refresh tokens in the text. */
		tokensIn: async (text: string) => (await control('POST', '/tokens/find', { text })).found,
		accessToken,

		addForms,
		addForm: async (title: string, how: Json = {}) => (await addForms({ title, ...how }))[0]!,
		deleteForm: async (id: string) => await control('DELETE', `/forms/${id}`),
		addResponses: async (formId: string, response: Json = {}) =>
			(await control('POST', `/forms/${formId}/responses`, response)).responses,
		/** Completes the response again, at a later time. */
		completeAgain: async (responseId: string, how: Json = {}) =>
			(await control('POST', `/responses/${responseId}/complete`, how)).response,
		deliverAgain: async (responseId: string, how: Json = {}) =>
			(await control('POST', `/responses/${responseId}/deliver`, how)).deliveries,

		addHook: async (formId: string, targetUrl: string) =>
			await subscribe(url, await accessToken(), { formId, targetUrl }),
		hooks,
		hooksOf: async (formId: string) => (await hooks()).filter((hook) => hook.formId === formId),
		loseHook: async (id: string) => await control('DELETE', `/hooks/${id}`),
		deliveries: async () => (await control('GET', '/deliveries')).deliveries,
		requests,
		requestsFor: async (method: string, path: string) =>
			(await requests()).filter((request) => request.method === method && request.path === path),
		forgetRequests: async () => await control('DELETE', '/requests'),
	};
}

export type FormService = ReturnType<typeof formServiceAt>;

/** A form service in this process, which is quickest to start. */
export async function startFormService(port = 0, host = ownHost): Promise<FormService> {
	const service = await startService({ port, host, log: () => {} });
	return formServiceAt(`http://${host}:${service.port}`, service.close);
}
