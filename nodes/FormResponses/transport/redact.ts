/** Shorter strings are no secrets, and occur in ordinary words. */
const MIN_SECRET = 8;

/** Ordinary words are rarely longer. */
const MAX_WORD = 16;

const isWord = (text: string) =>
	text.length <= MAX_WORD && /^[a-z]+([-'][a-z]+)*[.,;:!?)]*$/i.test(text);

/**
 * Masks secrets, and tokens after "Bearer" or "Basic". Keeps ordinary words: "a bearer token" is a phrase, and
 * a client secret such as `form` protects nothing.
 */
export function redact(text: string, secrets: string[]): string {
	return (
		secrets
			.filter((secret) => secret.length >= MIN_SECRET && !isWord(secret))
			.flatMap((secret) => [secret, encodeURIComponent(secret)])
			// Longest first: a secret can be the prefix of another.
			.sort((a, b) => b.length - a.length)
			.reduce((clean, secret) => clean.split(secret).join('***'), text)
			.replace(
				/\b(Bearer|Basic)\s+([^\s"'<>]+)/gi,
				(phrase: string, scheme: string, token: string) =>
					isWord(token) ? phrase : `${scheme} ***`,
			)
	);
}
