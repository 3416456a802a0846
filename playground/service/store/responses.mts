import type { DatabaseSync } from 'node:sqlite';
import type { Envelope } from '../types.mts';
import { documentIn, foundIn } from './database.mts';

export function createResponseStore(db: DatabaseSync) {
	const insert = db.prepare(
		'INSERT INTO responses (id, form_id, completed_at, document) VALUES (?, ?, ?, ?)',
	);
	const update = db.prepare('UPDATE responses SET completed_at = ?, document = ? WHERE id = ?');
	const select = db.prepare('SELECT document FROM responses WHERE id = ?');
	const selectLatest = db.prepare(
		`SELECT document FROM responses WHERE form_id = ?
		ORDER BY completed_at DESC, seq DESC LIMIT ?`,
	);
	const count = db.prepare('SELECT count(*) AS count FROM responses WHERE form_id = ?');

	return {
		add(envelope: Envelope): void {
			const { responseId, formId, completedAt } = envelope.data;
			insert.run(responseId, formId, Date.parse(completedAt), JSON.stringify(envelope));
		},
		replace(envelope: Envelope): void {
			const { responseId, completedAt } = envelope.data;
			update.run(Date.parse(completedAt), JSON.stringify(envelope), responseId);
		},
		get: (id: string) => foundIn<Envelope>(select.get(id)),
		latest: (formId: string, limit: number) =>
			selectLatest.all(formId, limit).map(documentIn<Envelope>),
		countOf: (formId: string) => (count.get(formId) as { count: number }).count,
	};
}
