import { randomBytes } from 'node:crypto';

/** Posts to a hook's target, as the service or an intruder does. What is no string is sent as JSON. */
export async function deliver(
	targetUrl: string,
	body: unknown,
	headers: Record<string, string> = {},
) {
	const answer = await fetch(targetUrl, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...headers },
		body: typeof body === 'string' ? body : JSON.stringify(body),
	});
	return { status: answer.status, text: await answer.text() };
}

/** What a hook's target URL carries beside the address: `?key=<when it was made>.<random>`. */
export function keyIn(targetUrl: string) {
	const [madeAt = '', token = ''] = new URL(targetUrl).searchParams.get('key')!.split('.');
	return { madeAt: Number(madeAt), token };
}

function withKey(targetUrl: string, key: string): string {
	const url = new URL(targetUrl);
	url.searchParams.set('key', key);
	return url.href;
}

/** The same URL with made-up keys that claim to be younger. */
export function forgedKeys(targetUrl: string, count: number): string[] {
	const { madeAt } = keyIn(targetUrl);
	return Array.from({ length: count }, (_, n) =>
		withKey(targetUrl, `${madeAt + n + 1}.${randomBytes(32).toString('base64url')}`),
	);
}
