export interface CookieJar {
	keepFrom(answer: Response): void;
	header(): Record<string, string>;
}

/** Cookies by name, for one origin: enough for n8n's session and for a consent page. */
export function cookieJar(): CookieJar {
	const cookies = new Map<string, string>();
	return {
		keepFrom(answer) {
			for (const line of answer.headers.getSetCookie()) {
				const [pair = ''] = line.split(';');
				const end = pair.indexOf('=');
				cookies.set(pair.slice(0, end).trim(), pair.slice(end + 1).trim());
			}
		},
		header() {
			const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
			return Object.fromEntries(cookie ? [['cookie', cookie]] : []);
		},
	};
}
