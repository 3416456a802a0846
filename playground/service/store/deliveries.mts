import type { DatabaseSync } from 'node:sqlite';
import type { Delivery } from '../types.mts';
import { documentIn } from './document.mts';

export function createDeliveryStore(db: DatabaseSync) {
	const insert = db.prepare('INSERT INTO deliveries (document) VALUES (?)');
	const selectAll = db.prepare('SELECT document FROM deliveries ORDER BY seq');

	return {
		add: (delivery: Delivery) => void insert.run(JSON.stringify(delivery)),
		all: () => selectAll.all().map(documentIn<Delivery>),
	};
}
