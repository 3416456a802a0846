export type Form = {
	id: string;
	title: string;
	status: string;
	createdAt: string;
	updatedAt: string;
};

export type Field = {
	id: string;
	label: string;
	type: string;
	required: boolean;
	choices: string[];
};

export type FormWithFields = Form & { fields: Field[] };

export type Answer = {
	fieldId: string;
	label: string;
	type: string;
	value: string;
	rawValue: unknown;
};

export type Envelope = {
	event: 'response.completed';
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
};

export type Hook = {
	id: string;
	formId: string;
	targetUrl: string;
	createdAt: string;
};

export type Delivery = {
	id: string;
	hookId: string;
	formId: string;
	responseId: string;
	targetUrl: string;
	status: number | null;
	error: string | null;
	startedAt: string;
	durationMs: number;
};

export type User = { name: string; email: string };
