import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const schema = `
	CREATE TABLE forms (
		seq INTEGER PRIMARY KEY AUTOINCREMENT,
		id TEXT NOT NULL UNIQUE,
		title TEXT NOT NULL,
		status TEXT NOT NULL,
		created_at INTEGER NOT NULL,
		updated_at INTEGER NOT NULL,
		fields TEXT NOT NULL
	);
	CREATE INDEX forms_newest ON forms (updated_at DESC, seq DESC);

	CREATE TABLE responses (
		seq INTEGER PRIMARY KEY AUTOINCREMENT,
		id TEXT NOT NULL UNIQUE,
		form_id TEXT NOT NULL REFERENCES forms (id) ON DELETE CASCADE,
		completed_at INTEGER NOT NULL,
		envelope TEXT NOT NULL
	);
	CREATE INDEX responses_newest ON responses (form_id, completed_at DESC, seq DESC);

	CREATE TABLE hooks (
		seq INTEGER PRIMARY KEY AUTOINCREMENT,
		id TEXT NOT NULL UNIQUE,
		form_id TEXT NOT NULL REFERENCES forms (id) ON DELETE CASCADE,
		target_url TEXT NOT NULL,
		created_at INTEGER NOT NULL
	);
	CREATE INDEX hooks_of_form ON hooks (form_id);

	CREATE TABLE deliveries (
		seq INTEGER PRIMARY KEY AUTOINCREMENT,
		id TEXT NOT NULL,
		hook_id TEXT NOT NULL,
		form_id TEXT NOT NULL,
		response_id TEXT NOT NULL,
		target_url TEXT NOT NULL,
		status INTEGER,
		error TEXT,
		started_at INTEGER NOT NULL,
		duration_ms INTEGER NOT NULL
	);
	CREATE INDEX deliveries_of_form ON deliveries (form_id, seq);

	CREATE TABLE tokens (
		access_hash TEXT PRIMARY KEY,
		refresh_hash TEXT UNIQUE,
		client_id TEXT NOT NULL,
		has_user INTEGER NOT NULL,
		scope TEXT NOT NULL,
		access_expires_at INTEGER NOT NULL,
		refresh_expires_at INTEGER
	);

	CREATE TABLE codes (
		code_hash TEXT PRIMARY KEY,
		client_id TEXT NOT NULL,
		redirect_uri TEXT NOT NULL,
		scope TEXT NOT NULL,
		expires_at INTEGER NOT NULL,
		code_challenge TEXT,
		code_challenge_method TEXT
	);
`;

const version = 1;

export function openDatabase(data: string): { db: DatabaseSync; isNew: boolean } {
	if (data !== ':memory:') mkdirSync(dirname(resolve(data)), { recursive: true });
	const db = new DatabaseSync(data);
	db.exec(`
		PRAGMA journal_mode = WAL;
		PRAGMA synchronous = NORMAL;
		PRAGMA busy_timeout = 5000;
		PRAGMA foreign_keys = ON;
	`);
	const stored = db.prepare('PRAGMA user_version').get() as { user_version: number };
	const isNew = stored.user_version === 0;
	if (isNew) db.exec(`BEGIN; ${schema} PRAGMA user_version = ${version}; COMMIT;`);
	return { db, isNew };
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
