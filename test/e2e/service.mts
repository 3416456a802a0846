import { startService } from '../../playground/service/start.mts';

type Json = Record<string, unknown>;

export interface Form {
	id: string;
	title: string;
}

export interface Envelope {
	event: string;
	createdAt: string;
	data: { responseId: string; formId: string; completedAt: string; answers: Json[] };
}

export interface HookRecord {
	id: string;
	formId: string;
	targetUrl: string;
	createdAt: string;
}

export interface DeliveryRecord {
	hookId: string;
	formId: string;
	responseId: string;
	targetUrl: string;
	status: number | null;
	error: string | null;
}

export interface RequestRecord {
	method: string;
	path: string;
	query: Json;
	status: number;
	authenticatedAs: string | null;
	/** When it came. */
	at: string;
	/** The kind of fault that it met. */
	fault?: string;
}

export interface Fault {
	match: { method?: string; path?: string };
	kind: string;
	skip?: number;
	/** How many requests it meets; null for all. */
	times?: number | null;
	[detail: string]: unknown;
}

/** The playground's form service with its controls. */
export async function startFormService(port = 0) {
	const service = await startService({ port, data: ':memory:', log: () => {} });

	async function control<Answer>(method: string, path: string, body?: Json): Promise<Answer> {
		const response = await fetch(`${service.url}/playground${path}`, {
			method,
			headers: { 'content-type': 'application/json' },
			body: body && JSON.stringify(body),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
		return (text ? JSON.parse(text) : undefined) as Answer;
	}

	async function list<Item>(path: string, name: string): Promise<Item[]> {
		const answer = await control<Item[] | Record<string, Item[]>>('GET', path);
		return Array.isArray(answer) ? answer : answer[name]!;
	}

	return {
		url: service.url,
		port: service.port,
		baseUrl: `${service.url}/api/v1`,
		close: service.close,

		/** Empties the service; access tokens stay valid, so that n8n stays connected. */
		reset: async () => await control('POST', '/reset', { keepTokens: true }),
		settings: async (settings: Json) => await control('PUT', '/settings', settings),
		addFault: async (fault: Fault) =>
			await control<{ id: string }>('POST', '/faults', { ...fault }),
		removeFault: async ({ id }: { id: string }) => await control('DELETE', `/faults/${id}`),
		clearFaults: async () => await control('DELETE', '/faults'),
		expireTokens: async () => await control('POST', '/tokens/expire'),

		async addForms(form: Json): Promise<Form[]> {
			return (await control<{ forms: Form[] }>('POST', '/forms', form)).forms;
		},
		async addForm(title: string): Promise<Form> {
			return (await control<{ forms: Form[] }>('POST', '/forms', { title })).forms[0]!;
		},
		deleteForm: async (id: string) => await control('DELETE', `/forms/${id}`),
		async addResponses(formId: string, response: Json = {}): Promise<Envelope[]> {
			return (
				await control<{ responses: Envelope[] }>('POST', `/forms/${formId}/responses`, response)
			).responses;
		},
		/** The response once more, with a later time. */
		async completeAgain(responseId: string, how: Json = {}): Promise<Envelope> {
			const path = `/responses/${responseId}/complete`;
			return (await control<{ response: Envelope }>('POST', path, how)).response;
		},
		async deliverAgain(responseId: string, how: Json = {}): Promise<DeliveryRecord[]> {
			const answer = await control<DeliveryRecord[] | { deliveries: DeliveryRecord[] }>(
				'POST',
				`/responses/${responseId}/deliver`,
				how,
			);
			return Array.isArray(answer) ? answer : answer.deliveries;
		},

		hooks: async () => await list<HookRecord>('/hooks', 'hooks'),
		loseHook: async (id: string) => await control('DELETE', `/hooks/${id}`),
		deliveries: async () => await list<DeliveryRecord>('/deliveries', 'deliveries'),
		requests: async () => await list<RequestRecord>('/requests', 'requests'),
		forgetRequests: async () => await control('DELETE', '/requests'),
	};
}

export type FormService = Awaited<ReturnType<typeof startFormService>>;
