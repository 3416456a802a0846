import { createHash, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { foundIn } from './database.mts';

export const newSecret = (): string => randomBytes(32).toString('base64url');

/** Tokens are stored as digests only. */
const digest = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

/** Every substring that may be a secret; matches can overlap. */
const candidatesIn = (text: string): string[] =>
	[...text.matchAll(/(?=([\w-]{43}))/g)].flatMap(([, candidate]) => candidate ?? []);

export type Token = { scopes: string[]; accessExpiresAt: number; refreshExpiresAt: number };

export function createTokenStore(db: DatabaseSync) {
	const insert = db.prepare(
		'INSERT INTO tokens (access_hash, refresh_hash, document) VALUES (?, ?, ?)',
	);
	const selectAccess = db.prepare('SELECT document FROM tokens WHERE access_hash = ?');
	const selectRefresh = db.prepare('SELECT document FROM tokens WHERE refresh_hash = ?');
	const revokeRefresh = db.prepare('UPDATE tokens SET refresh_hash = NULL WHERE refresh_hash = ?');
	const expire = db.prepare(
		"UPDATE tokens SET document = json_set(document, '$.accessExpiresAt', 0)",
	);

	const byAccessToken = (token: string) => foundIn<Token>(selectAccess.get(digest(token)));
	const byRefreshToken = (token: string) => foundIn<Token>(selectRefresh.get(digest(token)));

	return {
		add(token: Token, accessToken: string, refreshToken: string): void {
			insert.run(digest(accessToken), digest(refreshToken), JSON.stringify(token));
		},
		byAccessToken,
		byRefreshToken,
		/** Counts access and refresh tokens in the text, including expired ones. */
		countIn: (text: string): number =>
			candidatesIn(text).filter((one) => byAccessToken(one) ?? byRefreshToken(one)).length,
		revokeRefreshToken: (token: string) => revokeRefresh.run(digest(token)).changes > 0,
		expireAccessTokens: () => Number(expire.run().changes),
	};
}
