import type { DatabaseSync } from 'node:sqlite';
import type { Field, Form, FormWithFields } from '../types.mts';
import { toCursor, type Position } from './cursor.mts';
import { documentIn, foundIn } from './database.mts';

const newest: Position = { updatedAt: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER };

function withoutFields({ fields: _, ...form }: FormWithFields): Form {
	return form;
}

export function createFormStore(db: DatabaseSync) {
	const insert = db.prepare('INSERT INTO forms (id, updated_at, document) VALUES (?, ?, ?)');
	const select = db.prepare('SELECT document FROM forms WHERE id = ?');
	const selectPage = db.prepare(
		`SELECT seq, updated_at AS updatedAt, document FROM forms
		WHERE (updated_at, seq) < (?, ?) ORDER BY updated_at DESC, seq DESC LIMIT ?`,
	);
	const remove = db.prepare('DELETE FROM forms WHERE id = ?');

	return {
		add(form: Form, fields: Field[]): void {
			insert.run(form.id, Date.parse(form.updatedAt), JSON.stringify({ ...form, fields }));
		},
		has: (id: string) => select.get(id) !== undefined,
		get: (id: string) => foundIn<FormWithFields>(select.get(id)),
		page(limit: number, after = newest): { data: Form[]; nextCursor: string | null } {
			const rows = selectPage.all(after.updatedAt, after.seq, limit + 1);
			const last = rows.length > limit ? rows[limit - 1] : undefined;
			return {
				data: rows.slice(0, limit).map((row) => withoutFields(documentIn(row))),
				nextCursor: last ? toCursor(last as Position) : null,
			};
		},
		remove: (id: string) => remove.run(id).changes > 0,
	};
}
