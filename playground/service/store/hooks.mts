import type { DatabaseSync } from 'node:sqlite';
import type { Hook } from '../types.mts';
import { documentIn } from './database.mts';

export function createHookStore(db: DatabaseSync) {
	const insert = db.prepare('INSERT INTO hooks (id, form_id, document) VALUES (?, ?, ?)');
	const exists = db.prepare('SELECT 1 FROM hooks WHERE id = ?');
	const selectAll = db.prepare('SELECT document FROM hooks ORDER BY seq');
	const selectOfForm = db.prepare('SELECT document FROM hooks WHERE form_id = ? ORDER BY seq');
	const remove = db.prepare('DELETE FROM hooks WHERE id = ?');

	return {
		add: (hook: Hook) => void insert.run(hook.id, hook.formId, JSON.stringify(hook)),
		has: (id: string) => exists.get(id) !== undefined,
		all: () => selectAll.all().map(documentIn<Hook>),
		ofForm: (formId: string) => selectOfForm.all(formId).map(documentIn<Hook>),
		remove: (id: string) => remove.run(id).changes > 0,
	};
}
