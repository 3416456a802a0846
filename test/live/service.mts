import type { Settings } from '../../playground/service/settings.mts';
import type { FaultRequest } from '../../playground/service/faults/fault.mts';
import type { RequestRecord } from '../../playground/service/request-log.mts';
import { startService } from '../../playground/service/start.mts';
import type { Delivery, Envelope, Form, Hook } from '../../playground/service/types.mts';

export type { Delivery, Envelope, Form, Hook, RequestRecord };

type Json = Record<string, unknown>;

/** The playground's form service where it listens, with its controls. */
export function formServiceAt(url: string, close: () => Promise<void>) {
	async function control<Answer>(method: string, path: string, body?: object): Promise<Answer> {
		const response = await fetch(`${url}/playground${path}`, {
			method,
			headers: { 'content-type': 'application/json' },
			body: body && JSON.stringify(body),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
		return (text ? JSON.parse(text) : undefined) as Answer;
	}

	async function addForms(form: Json): Promise<Form[]> {
		return (await control<{ forms: Form[] }>('POST', '/forms', form)).forms;
	}

	const hooks = async () => (await control<{ hooks: Hook[] }>('GET', '/hooks')).hooks;

	return {
		url,
		baseUrl: `${url}/api/v1`,
		close,

		/** Empties the service; access tokens stay valid, so that n8n stays connected. */
		reset: async () => await control('POST', '/reset', { keepTokens: true }),
		settings: async (settings: Partial<Settings>) => await control('PUT', '/settings', settings),
		addFault: async (fault: FaultRequest) =>
			await control<{ id: string }>('POST', '/faults', fault),
		removeFault: async ({ id }: { id: string }) => await control('DELETE', `/faults/${id}`),
		clearFaults: async () => await control('DELETE', '/faults'),
		expireTokens: async () => await control('POST', '/tokens/expire'),
		/** How many access and refresh tokens can be read in it. */
		tokensIn: async (text: string) =>
			(await control<{ found: number }>('POST', '/tokens/find', { text })).found,
		accessToken: async () =>
			(await control<{ accessToken: string }>('POST', '/tokens', {})).accessToken,

		addForms,
		addForm: async (title: string): Promise<Form> => (await addForms({ title }))[0]!,
		deleteForm: async (id: string) => await control('DELETE', `/forms/${id}`),
		async addResponses(formId: string, response: Json = {}): Promise<Envelope[]> {
			const path = `/forms/${formId}/responses`;
			return (await control<{ responses: Envelope[] }>('POST', path, response)).responses;
		},
		/** The response once more, with a later time. */
		async completeAgain(responseId: string, how: Json = {}): Promise<Envelope> {
			const path = `/responses/${responseId}/complete`;
			return (await control<{ response: Envelope }>('POST', path, how)).response;
		},
		async deliverAgain(responseId: string, how: Json = {}): Promise<Delivery[]> {
			const path = `/responses/${responseId}/deliver`;
			return (await control<{ deliveries: Delivery[] }>('POST', path, how)).deliveries;
		},

		hooks,
		hooksOf: async (formId: string) => (await hooks()).filter((hook) => hook.formId === formId),
		loseHook: async (id: string) => await control('DELETE', `/hooks/${id}`),
		deliveries: async () =>
			(await control<{ deliveries: Delivery[] }>('GET', '/deliveries')).deliveries,
		requests: async () =>
			(await control<{ requests: RequestRecord[] }>('GET', '/requests')).requests,
		forgetRequests: async () => await control('DELETE', '/requests'),
	};
}

export type FormService = ReturnType<typeof formServiceAt>;

/** A form service in this process, which is quickest to start. */
export async function startFormService(port = 0): Promise<FormService> {
	const { url, close } = await startService({ port, data: ':memory:', log: () => {} });
	return formServiceAt(url, close);
}
