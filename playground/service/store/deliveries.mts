import type { DatabaseSync } from 'node:sqlite';
import type { Delivery } from '../types.mts';

type Row = {
	id: string;
	hook_id: string;
	form_id: string;
	response_id: string;
	target_url: string;
	status: number | null;
	error: string | null;
	started_at: number;
	duration_ms: number;
};

const toDelivery = (row: Row): Delivery => ({
	id: row.id,
	hookId: row.hook_id,
	formId: row.form_id,
	responseId: row.response_id,
	targetUrl: row.target_url,
	status: row.status,
	error: row.error,
	startedAt: new Date(row.started_at).toISOString(),
	durationMs: row.duration_ms,
});

export function createDeliveryStore(db: DatabaseSync) {
	const insert = db.prepare(
		`INSERT INTO deliveries
		(id, hook_id, form_id, response_id, target_url, status, error, started_at, duration_ms)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
	);
	const selectAll = db.prepare('SELECT * FROM deliveries ORDER BY seq');
	const selectOfForm = db.prepare('SELECT * FROM deliveries WHERE form_id = ? ORDER BY seq');
	const selectLatest = db.prepare('SELECT * FROM deliveries ORDER BY seq DESC LIMIT ?');
	const clear = db.prepare('DELETE FROM deliveries');

	return {
		add(delivery: Delivery): void {
			insert.run(
				delivery.id,
				delivery.hookId,
				delivery.formId,
				delivery.responseId,
				delivery.targetUrl,
				delivery.status,
				delivery.error,
				Date.parse(delivery.startedAt),
				delivery.durationMs,
			);
		},
		all: (): Delivery[] => (selectAll.all() as Row[]).map(toDelivery),
		ofForm: (formId: string): Delivery[] => (selectOfForm.all(formId) as Row[]).map(toDelivery),
		latest: (limit: number): Delivery[] => (selectLatest.all(limit) as Row[]).map(toDelivery),
		clear(): void {
			clear.run();
		},
	};
}
