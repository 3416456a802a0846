import type { IDataObject } from 'n8n-workflow';
import { FormResponses } from '../../../../../nodes/FormResponses/FormResponses.node';
import { startClock } from '../../../kit/clock';
import { execute, type Runnable } from '../../../kit/execute';
import { fakeService, type Reply } from '../../../kit/formService';
import { FORM_ID, HOOK_ID, RESPONSE_ID } from '../../../kit/samples';

export const TARGET_URL = 'http://example.com/new-response?from=n8n';

export const formBy = (mode: string, value: string) => ({ __rl: true, mode, value });

/** Runs an operation of the node, named as in `form:getAll`. */
export async function act(name: string, parameters: IDataObject = {}, run: Partial<Runnable> = {}) {
	const [resource, operation] = name.split(':');
	const subjects = { formId: formBy('id', FORM_ID), responseId: RESPONSE_ID, hookId: HOOK_ID };
	const all = { resource, operation, ...subjects, targetUrl: TARGET_URL, ...parameters };
	return await execute({ type: new FormResponses(), parameters: all as never, ...run });
}

/** Runs an operation for one item. The service answers its call, as in `GET /me`, with these replies in turn. */
export async function actOn(
	name: string,
	call: string,
	replies: Reply[],
	parameters: IDataObject = {},
) {
	startClock();
	const service = fakeService();
	const [method, path] = call.split(' ');
	service.on(method, path, ...replies);
	const { items, error } = await act(name, parameters);
	const sent = service.sent.map(({ query, body, authorization }) => ({
		query,
		body,
		authorization,
	}));
	return { items, message: error?.message, sent };
}
