import { randomBytes } from 'node:crypto';

/** What a hook's target URL carries beside the address: `?key=<generation>.<token>`. */
export function keyIn(targetUrl: string) {
	const [generation = '', token = ''] = new URL(targetUrl).searchParams.get('key')!.split('.');
	return { generation: Number(generation), token };
}

function withKey(targetUrl: string, key: string): string {
	const url = new URL(targetUrl);
	url.searchParams.set('key', key);
	return url.href;
}

/** The same URL with made-up keys that claim to be of the generations after its own. */
export function forgedKeys(targetUrl: string, count: number): string[] {
	const { generation } = keyIn(targetUrl);
	return Array.from({ length: count }, (_, n) =>
		withKey(targetUrl, `${generation + n + 1}.${randomBytes(32).toString('base64url')}`),
	);
}
