export interface Form {
	id: string;
	title: string;
}

interface FormPage {
	data: Form[];
	nextCursor: string | null;
}

async function json<T>(url: string, init?: RequestInit): Promise<T> {
	const answer = await fetch(url, init);
	if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
	return (await answer.json()) as T;
}

/** All forms of the service's workspace. */
export async function readForms(serviceUrl: string): Promise<Form[]> {
	const { accessToken } = await json<{ accessToken: string }>(`${serviceUrl}/playground/tokens`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ scope: 'forms:read', expiresInSeconds: 60 }),
	});
	const headers = { authorization: `Bearer ${accessToken}` };
	const forms: Form[] = [];
	let cursor: string | null = null;
	do {
		const query = new URLSearchParams({ limit: '100', ...(cursor && { cursor }) });
		const page: FormPage = await json(`${serviceUrl}/api/v1/forms?${query}`, { headers });
		forms.push(...page.data);
		cursor = page.nextCursor;
	} while (cursor);
	return forms;
}
