/** Shorter ones are no secrets, and stand in other words. */
const SHORTEST_SECRET = 8;

/** Longer than nearly any word that somebody writes. */
const LONGEST_WORD = 16;

const isWord = (text: string) =>
	text.length <= LONGEST_WORD && /^[a-z]+([-'][a-z]+)*[.,;:!?)]*$/i.test(text);

/**
 * The text without the secrets, and without any token behind the word Bearer or Basic. Ordinary words stay:
 * "a bearer token" is a phrase, and a client secret such as `form` keeps nothing secret.
 */
export function redact(text: string, secrets: string[]): string {
	return (
		secrets
			.filter((secret) => secret.length >= SHORTEST_SECRET && !isWord(secret))
			.flatMap((secret) => [secret, encodeURIComponent(secret)])
			// One may begin another.
			.sort((a, b) => b.length - a.length)
			.reduce((clean, secret) => clean.split(secret).join('***'), text)
			.replace(
				/\b(Bearer|Basic)\s+([^\s"'<>]+)/gi,
				(phrase: string, scheme: string, token: string) =>
					isWord(token) ? phrase : `${scheme} ***`,
			)
	);
}
