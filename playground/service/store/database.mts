import { mkdirSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Only searched fields have columns; the rest is in the document. */
const schema = `
	CREATE TABLE forms (
		seq INTEGER PRIMARY KEY AUTOINCREMENT,
		id TEXT NOT NULL UNIQUE,
		updated_at INTEGER NOT NULL,
		document TEXT NOT NULL
	);
	CREATE INDEX forms_newest ON forms (updated_at DESC, seq DESC);

	CREATE TABLE responses (
		seq INTEGER PRIMARY KEY AUTOINCREMENT,
		id TEXT NOT NULL UNIQUE,
		form_id TEXT NOT NULL REFERENCES forms (id) ON DELETE CASCADE,
		completed_at INTEGER NOT NULL,
		document TEXT NOT NULL
	);
	CREATE INDEX responses_newest ON responses (form_id, completed_at DESC, seq DESC);

	CREATE TABLE hooks (
		seq INTEGER PRIMARY KEY AUTOINCREMENT,
		id TEXT NOT NULL UNIQUE,
		form_id TEXT NOT NULL REFERENCES forms (id) ON DELETE CASCADE,
		document TEXT NOT NULL
	);
	CREATE INDEX hooks_of_form ON hooks (form_id);

	CREATE TABLE deliveries (seq INTEGER PRIMARY KEY AUTOINCREMENT, document TEXT NOT NULL);

	CREATE TABLE tokens (
		access_hash TEXT PRIMARY KEY,
		refresh_hash TEXT UNIQUE,
		document TEXT NOT NULL
	);
`;

const version = 3;

function open(data: string): { db: DatabaseSync; stored: number } {
	const db = new DatabaseSync(data);
	db.exec(`
		PRAGMA journal_mode = WAL;
		PRAGMA synchronous = NORMAL;
		PRAGMA busy_timeout = 5000;
		PRAGMA foreign_keys = ON;
	`);
	const { user_version: stored } = db.prepare('PRAGMA user_version').get() as {
		user_version: number;
	};
	return { db, stored };
}

/** Replaces the file of another version, which only holds trial data. */
export function openDatabase(data: string): { db: DatabaseSync; isNew: boolean } {
	if (data !== ':memory:') mkdirSync(dirname(resolve(data)), { recursive: true });
	const { db, stored } = open(data);
	if (stored === version) return { db, isNew: false };
	if (stored !== 0) {
		db.close();
		rmSync(data);
		return openDatabase(data);
	}
	db.exec(`BEGIN; ${schema} PRAGMA user_version = ${version}; COMMIT;`);
	return { db, isNew: true };
}

export function inTransaction<Result>(db: DatabaseSync, work: () => Result): Result {
	db.exec('BEGIN');
	try {
		const result = work();
		db.exec('COMMIT');
		return result;
	} catch (error) {
		db.exec('ROLLBACK');
		throw error;
	}
}

export const documentIn = <Document,>(row: unknown): Document =>
	JSON.parse((row as { document: string }).document) as Document;

export const foundIn = <Document,>(row: unknown): Document | null =>
	row === undefined ? null : documentIn<Document>(row);
