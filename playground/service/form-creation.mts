import { randomUUID } from 'node:crypto';
import type { Service } from './service.mts';
import type { Field, Form } from './types.mts';

type NewField = Partial<Field> & { label: string };

export type NewForms = {
	title: string;
	status?: string;
	updatedAt?: string;
	fields?: NewField[];
	count?: number;
};

const defaultFields: NewField[] = [
	{ label: 'Name', type: 'text', required: true },
	{ label: 'Email', type: 'email' },
	{ label: 'Message', type: 'text' },
];

const toField = ({ id, label, type, required, choices }: NewField): Field => ({
	id: id ?? randomUUID(),
	label,
	type: type ?? 'text',
	required: required ?? false,
	choices: choices ?? [],
});

/** Several forms are numbered and lie one second apart, going back in time. */
export function createForms(service: Service, request: NewForms): Form[] {
	const { title, status = 'published', fields = defaultFields, count } = request;
	const newest = request.updatedAt ? Date.parse(request.updatedAt) : service.clock();

	return service.store.inTransaction(() =>
		Array.from({ length: count ?? 1 }, (_, index) => {
			const updatedAt = new Date(newest - index * 1000).toISOString();
			const form: Form = {
				id: randomUUID(),
				title: count === undefined ? title : `${title} ${index + 1}`,
				status,
				createdAt: updatedAt,
				updatedAt,
			};
			service.store.forms.add(form, fields.map(toField));
			return form;
		}),
	);
}
