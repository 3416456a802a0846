import type { DatabaseSync } from 'node:sqlite';
import { digest } from './secret.mts';

export type Code = {
	clientId: string;
	redirectUri: string;
	scopes: string[];
	expiresAt: number;
	codeChallenge: string | null;
	codeChallengeMethod: string | null;
};

type Row = {
	client_id: string;
	redirect_uri: string;
	scope: string;
	expires_at: number;
	code_challenge: string | null;
	code_challenge_method: string | null;
};

export function createCodeStore(db: DatabaseSync) {
	const insert = db.prepare(
		`INSERT INTO codes
		(code_hash, client_id, redirect_uri, scope, expires_at, code_challenge, code_challenge_method)
		VALUES (?, ?, ?, ?, ?, ?, ?)`,
	);
	const select = db.prepare('SELECT * FROM codes WHERE code_hash = ?');
	const remove = db.prepare('DELETE FROM codes WHERE code_hash = ?');

	return {
		add(code: Code, secret: string): void {
			insert.run(
				digest(secret),
				code.clientId,
				code.redirectUri,
				code.scopes.join(' '),
				code.expiresAt,
				code.codeChallenge,
				code.codeChallengeMethod,
			);
		},
		get(secret: string): Code | null {
			const row = select.get(digest(secret)) as Row | undefined;
			if (!row) return null;
			return {
				clientId: row.client_id,
				redirectUri: row.redirect_uri,
				scopes: row.scope.split(' ').filter(Boolean),
				expiresAt: row.expires_at,
				codeChallenge: row.code_challenge,
				codeChallengeMethod: row.code_challenge_method,
			};
		},
		remove: (secret: string): boolean => remove.run(digest(secret)).changes > 0,
	};
}
