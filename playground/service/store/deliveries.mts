import type { DatabaseSync } from 'node:sqlite';
import type { Delivery } from '../types.mts';
import { documentIn } from './database.mts';

export function createDeliveryStore(db: DatabaseSync) {
	const insert = db.prepare('INSERT INTO deliveries (document) VALUES (?)');
	const selectAll = db.prepare('SELECT document FROM deliveries ORDER BY seq');
	const selectLatest = db.prepare(
		`SELECT document, row_number() OVER (
			PARTITION BY document ->> 'hookId', document ->> 'responseId' ORDER BY seq
		) AS attempt FROM deliveries ORDER BY seq DESC LIMIT ?`,
	);

	return {
		add: (delivery: Delivery) => void insert.run(JSON.stringify(delivery)),
		all: () => selectAll.all().map(documentIn<Delivery>),
		/** The newest first; one attempt is counted for each hook and response. */
		latest: (limit: number) =>
			selectLatest.all(limit).map((row) => ({
				delivery: documentIn<Delivery>(row),
				attempt: Number(row.attempt),
			})),
	};
}
