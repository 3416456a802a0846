import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Service } from './service.mts';
import type { Form } from './types.mts';

const newField = z.strictObject({
	id: z.string().default(randomUUID),
	label: z.string(),
	type: z.string().default('text'),
	required: z.boolean().default(false),
	choices: z.array(z.string()).default([]),
});

export const newFormsSchema = z.strictObject({
	title: z.string(),
	status: z.string().default('published'),
	updatedAt: z.iso.datetime({ offset: true }).optional(),
	fields: z
		.array(newField)
		.prefault([
			{ label: 'Name', required: true },
			{ label: 'Email', type: 'email' },
			{ label: 'Message' },
		]),
	/** With a count, titles are numbered. */
	count: z.int().min(1).max(100_000).optional(),
});

export type NewForms = z.input<typeof newFormsSchema>;

/** Creates forms one second apart, newest first. */
export function createForms(service: Service, request: z.output<typeof newFormsSchema>): Form[] {
	const { title, status, fields, count, updatedAt: given } = request;
	const newest = given ? Date.parse(given) : service.clock();

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
			service.store.forms.add(form, fields);
			return form;
		}),
	);
}
