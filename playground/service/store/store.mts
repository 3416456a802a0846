import type { DatabaseSync } from 'node:sqlite';
import { inTransaction, openDatabase } from './database.mts';
import { createDeliveryStore } from './deliveries.mts';
import { createFormStore } from './forms.mts';
import { createHookStore } from './hooks.mts';
import { createResponseStore } from './responses.mts';
import { createTokenStore } from './tokens.mts';

const dataTables = ['deliveries', 'hooks', 'responses', 'forms'];

function clearer(db: DatabaseSync) {
	return ({ keepTokens }: { keepTokens: boolean }) =>
		inTransaction(db, () => {
			for (const table of keepTokens ? dataTables : [...dataTables, 'tokens']) {
				db.exec(`DELETE FROM ${table}`);
			}
		});
}

export function openStore(data: string) {
	const { db, isNew } = openDatabase(data);
	return {
		isNew,
		forms: createFormStore(db),
		responses: createResponseStore(db),
		hooks: createHookStore(db),
		deliveries: createDeliveryStore(db),
		tokens: createTokenStore(db),
		inTransaction: <Result,>(work: () => Result): Result => inTransaction(db, work),
		clear: clearer(db),
		close: () => db.close(),
	};
}

export type Store = ReturnType<typeof openStore>;
