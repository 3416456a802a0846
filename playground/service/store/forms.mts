import type { DatabaseSync } from 'node:sqlite';
import type { Field, Form, FormWithFields } from '../types.mts';
import { toCursor, type Position } from './cursor.mts';

type Row = {
	seq: number;
	id: string;
	title: string;
	status: string;
	created_at: number;
	updated_at: number;
	fields: string;
};

const newest: Position = { updatedAt: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER };

const toForm = (row: Omit<Row, 'fields'>): Form => ({
	id: row.id,
	title: row.title,
	status: row.status,
	createdAt: new Date(row.created_at).toISOString(),
	updatedAt: new Date(row.updated_at).toISOString(),
});

export function createFormStore(db: DatabaseSync) {
	const insert = db.prepare(
		'INSERT INTO forms (id, title, status, created_at, updated_at, fields) VALUES (?, ?, ?, ?, ?, ?)',
	);
	const select = db.prepare('SELECT * FROM forms WHERE id = ?');
	const selectPage = db.prepare(
		`SELECT seq, id, title, status, created_at, updated_at FROM forms
		WHERE (updated_at, seq) < (?, ?) ORDER BY updated_at DESC, seq DESC LIMIT ?`,
	);
	const remove = db.prepare('DELETE FROM forms WHERE id = ?');
	const exists = db.prepare('SELECT 1 FROM forms WHERE id = ?');

	return {
		add(form: Form, fields: Field[]): void {
			insert.run(
				form.id,
				form.title,
				form.status,
				Date.parse(form.createdAt),
				Date.parse(form.updatedAt),
				JSON.stringify(fields),
			);
		},
		has: (id: string): boolean => exists.get(id) !== undefined,
		get(id: string): FormWithFields | null {
			const row = select.get(id) as Row | undefined;
			return row ? { ...toForm(row), fields: JSON.parse(row.fields) as Field[] } : null;
		},
		page(limit: number, after: Position = newest): { data: Form[]; nextCursor: string | null } {
			const rows = selectPage.all(after.updatedAt, after.seq, limit + 1) as Row[];
			const last = rows.length > limit ? rows[limit - 1] : undefined;
			return {
				data: rows.slice(0, limit).map(toForm),
				nextCursor: last ? toCursor({ updatedAt: last.updated_at, seq: last.seq }) : null,
			};
		},
		remove: (id: string): boolean => remove.run(id).changes > 0,
	};
}
