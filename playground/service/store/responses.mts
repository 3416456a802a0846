import type { DatabaseSync } from 'node:sqlite';
import type { Envelope } from '../types.mts';

type Row = { envelope: string };

const toEnvelope = (row: Row): Envelope => JSON.parse(row.envelope) as Envelope;

export function createResponseStore(db: DatabaseSync) {
	const insert = db.prepare(
		'INSERT INTO responses (id, form_id, completed_at, envelope) VALUES (?, ?, ?, ?)',
	);
	const update = db.prepare('UPDATE responses SET completed_at = ?, envelope = ? WHERE id = ?');
	const select = db.prepare('SELECT envelope FROM responses WHERE id = ?');
	const selectLatest = db.prepare(
		`SELECT envelope FROM responses WHERE form_id = ?
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
		get(id: string): Envelope | null {
			const row = select.get(id) as Row | undefined;
			return row ? toEnvelope(row) : null;
		},
		latest: (formId: string, limit: number): Envelope[] =>
			(selectLatest.all(formId, limit) as Row[]).map(toEnvelope),
		countOf: (formId: string): number => (count.get(formId) as { count: number }).count,
	};
}
