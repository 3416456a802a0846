/** What the service sends and takes, in its own words (playground/service/openapi.json). */

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

/** A completed Response: what the read operations return and what a Hook delivers. */
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
 * Where a value first departs from what the API documents, such as `data[1].answers[0].label`;
 * empty where the value itself does, undefined where nothing does.
 */
export type Shape = (value: unknown) => string | undefined;

/** One request, described without sending it. */
export interface ApiRequest {
	method: 'GET' | 'POST' | 'DELETE';
	path: string;
	query?: Record<string, string | number>;
	body?: Record<string, string>;
	/** The scope the operation needs; none for `GET /me`, which any valid token may call. */
	scope?: Scope;
	/** What the request is for, as it reads after "could not": `list the forms`. */
	purpose: string;
	/** The resource named in the path being absent is as good as success. */
	absentIsSuccess?: boolean;
	answer: Shape;
}

/** What came of sending a request once. */
export type Outcome =
	/** The documented success. */
	| { kind: 'done'; body: unknown }
	/** A success, but not the documented one: whatever came in its place, or undefined where it was cut off. */
	| { kind: 'unreadable'; status: number; body: unknown }
	/** Any other answer. */
	| { kind: 'answer'; status: number; headers: Record<string, string>; body: unknown }
	/** No answer: the network failed for a moment, at the proxy where there is one. */
	| { kind: 'fault'; code: string; proxy?: string }
	/** Not sent, or never going to work: a bad certificate. */
	| { kind: 'impossible'; code?: string; message: string }
	/** Not sent, because the OAuth2 server (`host`, where it is known) gave no token. */
	| {
			kind: 'tokenless';
			host?: string;
			status?: number;
			code?: string;
			message: string;
			/** It failed, and may give one later. */
			isTransient: boolean;
	  }
	| { kind: 'canceled' };

/** What went wrong with one request, after all retries. */
export interface Failure {
	request: ApiRequest;
	outcome: Exclude<Outcome, { kind: 'done' }>;
	authentication: Authentication;
	baseUrl: string;
	/** How many times the request failed, not counting how often the service put it off. */
	attempts: number;
	/** Milliseconds the service asked to wait, where waiting that long was not possible. */
	askedWaitMs?: number;
	/** Strings which must not be shown: tokens, keys. */
	secrets: string[];
}

/** The one door to the service, opened by `connect` for one run, lifecycle call or delivery. */
export interface Api {
	readonly baseUrl: string;
	readonly authentication: Authentication;
	send<Body>(request: ApiRequest): Promise<Body>;
	/** Tells n8n's log. */
	warn(message: string): void;
}
