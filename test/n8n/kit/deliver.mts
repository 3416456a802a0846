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
