/**
 * Posts to a hook's target, as the service or an intruder does.
 *
 * @param body what is no string is sent as JSON
 * @returns the status and text of the answer
 */
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
