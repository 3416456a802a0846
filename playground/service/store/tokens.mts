import type { DatabaseSync } from 'node:sqlite';
import { candidatesIn, digest } from './secret.mts';

export type Token = {
	clientId: string;
	hasUser: boolean;
	scopes: string[];
	accessExpiresAt: number;
	refreshExpiresAt: number | null;
};

type Row = {
	client_id: string;
	has_user: number;
	scope: string;
	access_expires_at: number;
	refresh_expires_at: number | null;
};

const toToken = (row: Row): Token => ({
	clientId: row.client_id,
	hasUser: row.has_user === 1,
	scopes: row.scope.split(' ').filter(Boolean),
	accessExpiresAt: row.access_expires_at,
	refreshExpiresAt: row.refresh_expires_at,
});

export function createTokenStore(db: DatabaseSync) {
	const insert = db.prepare(
		`INSERT INTO tokens
		(access_hash, refresh_hash, client_id, has_user, scope, access_expires_at, refresh_expires_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)`,
	);
	const selectAccess = db.prepare('SELECT * FROM tokens WHERE access_hash = ?');
	const selectRefresh = db.prepare('SELECT * FROM tokens WHERE refresh_hash = ?');
	const revokeRefresh = db.prepare(
		'UPDATE tokens SET refresh_hash = NULL, refresh_expires_at = NULL WHERE refresh_hash = ?',
	);
	const expire = db.prepare('UPDATE tokens SET access_expires_at = 0 WHERE access_expires_at > 0');

	const find = (row: unknown): Token | null => (row ? toToken(row as Row) : null);

	const byAccessToken = (accessToken: string) => find(selectAccess.get(digest(accessToken)));
	const byRefreshToken = (refreshToken: string) => find(selectRefresh.get(digest(refreshToken)));

	return {
		add(token: Token, accessToken: string, refreshToken: string | null): void {
			insert.run(
				digest(accessToken),
				refreshToken === null ? null : digest(refreshToken),
				token.clientId,
				token.hasUser ? 1 : 0,
				token.scopes.join(' '),
				token.accessExpiresAt,
				token.refreshExpiresAt,
			);
		},
		byAccessToken,
		byRefreshToken,
		/** Of either kind, also expired ones. */
		countIn: (text: string): number =>
			candidatesIn(text).filter((one) => byAccessToken(one) ?? byRefreshToken(one)).length,
		revokeRefreshToken: (refreshToken: string): boolean =>
			revokeRefresh.run(digest(refreshToken)).changes > 0,
		expireAccessTokens: (): number => Number(expire.run().changes),
	};
}
