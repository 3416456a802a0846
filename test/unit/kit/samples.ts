import type {
	Answer,
	Form,
	Hook,
	ResponseEnvelope,
	TokenIdentity,
} from '../../../nodes/FormResponses/transport/types';

/** What the service of the tests sends: made of the API's own fields. */

export const FORM_ID = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
export const OTHER_FORM_ID = 'eeeeeeee-eeee-4eee-8eee-eeeeeeeeeeee';
export const RESPONSE_ID = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa';
export const HOOK_ID = 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb';

/** The nth of many ids, as in `aaaaaaa0-0000-4000-8000-000000000007`. */
export const idOf = (n: number, kind = 0) =>
	`${String(kind).padStart(8, 'a')}-0000-4000-8000-${String(n).padStart(12, '0')}`;

export const aForm = (form: Partial<Form> = {}): Form => ({
	id: FORM_ID,
	title: 'Contact',
	status: 'published',
	createdAt: '2026-01-01T08:00:00.000Z',
	updatedAt: '2026-02-01T08:00:00.000Z',
	...form,
});

/** Forms numbered from 1, the first one updated last. */
export const formsOf = (count: number): Form[] =>
	Array.from({ length: count }, (_, index) => {
		const n = index + 1;
		const updatedAt = new Date(Date.UTC(2026, 1, 1) - n * 60_000).toISOString();
		return aForm({ id: idOf(n, 1), title: `Form ${n}`, updatedAt });
	});

export const anAnswer = (answer: Partial<Answer> = {}): Answer => ({
	fieldId: 'field-1',
	label: 'Name',
	type: 'text',
	value: 'Robin',
	rawValue: 'Robin',
	...answer,
});

export const aResponse = (data: Partial<ResponseEnvelope['data']> = {}): ResponseEnvelope => ({
	event: 'response.completed',
	createdAt: '2026-03-01T11:59:01.000Z',
	data: {
		formId: FORM_ID,
		formTitle: 'Contact',
		responseId: RESPONSE_ID,
		respondentEmail: 'robin@example.com',
		completedAt: '2026-03-01T11:59:00.000Z',
		answers: [anAnswer()],
		fields: { Name: 'Robin' },
		hiddenFields: { source: 'newsletter' },
		metadata: { locale: 'en' },
		...data,
	},
});

/** What an item has of `aResponse()` itself, beside its answers and hidden fields. */
export const OWN_FIELDS = {
	responseId: RESPONSE_ID,
	formId: FORM_ID,
	formTitle: 'Contact',
	respondentEmail: 'robin@example.com',
	completedAt: '2026-03-01T11:59:00.000Z',
};

/** The JSON of the item that `aResponse()` becomes, unless an option says otherwise. */
export const SIMPLIFIED = {
	...OWN_FIELDS,
	answers: { Name: 'Robin' },
	hiddenFields: { source: 'newsletter' },
};

/** Responses numbered from `count` down to 1: newest first, as the service lists them. */
export const responsesOf = (
	count: number,
	after = '2026-03-01T11:00:00.000Z',
): ResponseEnvelope[] =>
	Array.from({ length: count }, (_, index) => {
		const n = count - index;
		const completedAt = new Date(Date.parse(after) + n * 1_000).toISOString();
		return aResponse({ responseId: idOf(n, 2), completedAt });
	});

export const aHook = (hook: Partial<Hook> = {}): Hook => ({
	id: HOOK_ID,
	formId: FORM_ID,
	targetUrl: 'https://n8n.example.com/webhook/1/webhook',
	createdAt: '2026-03-01T12:00:00.000Z',
	...hook,
});

export const anIdentity = (identity: Partial<TokenIdentity> = {}): TokenIdentity => ({
	workspace: { id: 'workspace-1', name: 'Example', slug: 'example' },
	user: { name: 'Robin', email: 'robin@example.com' },
	scope: 'responses:read',
	...identity,
});

export const anError = (code: string, message: string, hint = 'Read the documentation.') => ({
	error: message,
	code,
	message,
	hint,
	docs: 'https://forms.example.com/docs',
});
