import type { DatabaseSync } from 'node:sqlite';
import { foundIn } from './document.mts';
import { digest } from './secret.mts';

export type Code = {
	redirectUri: string;
	scopes: string[];
	expiresAt: number;
	codeChallenge?: string;
	codeChallengeMethod?: string;
};

export function createCodeStore(db: DatabaseSync) {
	const insert = db.prepare('INSERT INTO codes (code_hash, document) VALUES (?, ?)');
	const select = db.prepare('SELECT document FROM codes WHERE code_hash = ?');
	const remove = db.prepare('DELETE FROM codes WHERE code_hash = ?');

	return {
		add: (code: Code, secret: string) => void insert.run(digest(secret), JSON.stringify(code)),
		get: (secret: string) => foundIn<Code>(select.get(digest(secret))),
		remove: (secret: string) => remove.run(digest(secret)).changes > 0,
	};
}
