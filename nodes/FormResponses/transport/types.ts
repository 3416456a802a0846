/** API types, in the API's terms (playground/service/openapi.yaml). */

export interface Form {
	id: string;
	title: string;
	status: string;
	createdAt: string;
	updatedAt: string;
}

export interface Answer {
	fieldId: string;
	label: string;
	type: string;
	value: string;
	rawValue?: unknown;
}

/** Returned by the read operations, and delivered by Hooks. */
export interface ResponseEnvelope {
	event: unknown;
	createdAt: string;
	data: {
		formId: string;
		formTitle: string;
		responseId: string;
		respondentEmail: string | null;
		completedAt: string;
		answers: Answer[];
		fields: Record<string, string>;
		hiddenFields: Record<string, string>;
		metadata: Record<string, unknown>;
	};
}

export interface Hook {
	id: string;
	formId: string;
	targetUrl: string;
	createdAt: string;
}

export interface TokenIdentity {
	workspace: { id: string; name: string; slug: string };
	user: { name: string; email: string } | null;
	scope: string;
}

export interface Page<Item> {
	data: Item[];
	nextCursor: string | null;
}

export type Scope = 'forms:read' | 'responses:read' | 'hooks:write';

export type Authentication = 'apiKey' | 'oAuth2';

/**
 * Returns the path of the first mismatch with the documented type, such as `data[1].answers[0].label`; '' for
 * the value itself, undefined for none.
 */
export type Shape = (value: unknown) => string | undefined;

export interface ApiRequest {
	method: 'GET' | 'POST' | 'DELETE';
	path: string;
	query?: Record<string, string | number>;
	body?: Record<string, string>;
	/** None for `GET /me`, which every valid token may call. */
	scope?: Scope;
	/** Completes "Could not …" in messages: `list the forms`. */
	purpose: string;
	/** Whether the API's 404 counts as success. */
	absentIsSuccess?: boolean;
	answer: Shape;
}

/** The outcome of one attempt. */
export type Outcome =
	/** The documented success. */
	| { kind: 'done'; body: unknown }
	/** A success status without the documented body: the actual body, undefined if it was cut off. */
	| { kind: 'unreadable'; status: number; body: unknown }
	| { kind: 'answer'; status: number; headers: Record<string, string>; body: unknown }
	/** A transient network failure, perhaps at another address than the API's. */
	| { kind: 'fault'; code: string; elsewhere?: string }
	/** Cannot succeed, such as an invalid certificate. */
	| { kind: 'impossible'; code?: string; message: string }
	/** Not sent: the OAuth2 server (`host`, if known) gave no token. */
	| {
			kind: 'tokenless';
			host?: string;
			status?: number;
			code?: string;
			message: string;
			/** Whether the server may give one later. */
			isTransient: boolean;
	  }
	| { kind: 'canceled' };

/** The final failure of a request. */
export interface Failure {
	request: ApiRequest;
	outcome: Exclude<Outcome, { kind: 'done' }>;
	authentication: Authentication;
	baseUrl: string;
	/** Failed attempts, without those that the service deferred. */
	attempts: number;
	/** The wait that the service asked for, if too long. */
	askedWaitMs?: number;
	/** Strings to mask: tokens, keys. */
	secrets: string[];
}

/** A connection for one run, lifecycle call or delivery. */
export interface Api {
	readonly baseUrl: string;
	readonly authentication: Authentication;
	send<Body>(request: ApiRequest): Promise<Body>;
	/** Milliseconds in the service's clock, at its last answer; undefined if that had no Date. */
	answeredAt(): number | undefined;
	/** Writes to n8n's log. */
	warn(message: string): void;
}
