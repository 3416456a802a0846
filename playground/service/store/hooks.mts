import type { DatabaseSync } from 'node:sqlite';
import type { Hook } from '../types.mts';

type Row = { id: string; form_id: string; target_url: string; created_at: number };

const toHook = (row: Row): Hook => ({
	id: row.id,
	formId: row.form_id,
	targetUrl: row.target_url,
	createdAt: new Date(row.created_at).toISOString(),
});

export function createHookStore(db: DatabaseSync) {
	const insert = db.prepare(
		'INSERT INTO hooks (id, form_id, target_url, created_at) VALUES (?, ?, ?, ?)',
	);
	const exists = db.prepare('SELECT 1 FROM hooks WHERE id = ?');
	const selectAll = db.prepare('SELECT * FROM hooks ORDER BY seq');
	const selectOfForm = db.prepare('SELECT * FROM hooks WHERE form_id = ? ORDER BY seq');
	const remove = db.prepare('DELETE FROM hooks WHERE id = ?');
	const count = db.prepare('SELECT count(*) AS count FROM hooks');

	return {
		add(hook: Hook): void {
			insert.run(hook.id, hook.formId, hook.targetUrl, Date.parse(hook.createdAt));
		},
		has: (id: string): boolean => exists.get(id) !== undefined,
		all: (): Hook[] => (selectAll.all() as Row[]).map(toHook),
		ofForm: (formId: string): Hook[] => (selectOfForm.all(formId) as Row[]).map(toHook),
		count: (): number => (count.get() as { count: number }).count,
		remove: (id: string): boolean => remove.run(id).changes > 0,
	};
}
