import type { CookieJar } from 'tough-cookie';

/** Fetches with the cookies of a jar, and keeps those that come back. */
export async function request(
	cookies: CookieJar,
	url: string,
	init: RequestInit,
): Promise<Response> {
	const cookie = await cookies.getCookieString(url);
	const headers = { ...init.headers, ...(cookie && { cookie }) };
	const answer = await fetch(url, { ...init, headers });
	for (const line of answer.headers.getSetCookie()) await cookies.setCookie(line, url);
	return answer;
}
