import {
	formPage,
	hook,
	identifiedResponse,
	inside,
	noBody,
	responseEnvelope,
	responseList,
	tokenIdentity,
} from './shapes';
import type { Api, Form, Hook, Page, ResponseEnvelope, TokenIdentity } from './types';

/** The API's own limits (playground/service/openapi.json). */
export const MAX_FORMS_PER_PAGE = 100;
export const MAX_RESPONSES = 25;

const segment = encodeURIComponent;

export async function getMe(api: Api): Promise<TokenIdentity> {
	return await api.send({
		method: 'GET',
		path: '/me',
		purpose: 'identify the token',
		answer: tokenIdentity,
	});
}

export async function listForms(
	api: Api,
	query: { limit: number; cursor?: string },
): Promise<Page<Form>> {
	return await api.send({
		method: 'GET',
		path: '/forms',
		query,
		scope: 'forms:read',
		purpose: 'list the forms',
		answer: formPage,
	});
}

/**
 * The latest completed Responses of a Form, newest first. One that is not as documented does not hide
 * the others: it is given as it came, or left out with a warning where its ID, form or time is missing.
 */
export async function listResponses(
	api: Api,
	formId: string,
	limit: number,
): Promise<ResponseEnvelope[]> {
	const { data } = await api.send<{ data: ResponseEnvelope[] }>({
		method: 'GET',
		path: `/forms/${segment(formId)}/responses`,
		query: { limit },
		scope: 'responses:read',
		purpose: `read the responses of form ${formId}`,
		answer: responseList,
	});
	return data.filter((response, index) => {
		const odd = identifiedResponse(response);
		if (odd === undefined) return true;
		api.warn(
			`A response to form ${formId} was left out, because ${inside(`data[${index}]`, odd)} is not as the API is documented.`,
		);
		return false;
	});
}

export async function getResponse(api: Api, responseId: string): Promise<ResponseEnvelope> {
	return await api.send({
		method: 'GET',
		path: `/responses/${segment(responseId)}`,
		scope: 'responses:read',
		purpose: `read response ${responseId}`,
		answer: responseEnvelope,
	});
}

export async function createHook(api: Api, formId: string, targetUrl: string): Promise<Hook> {
	return await api.send({
		method: 'POST',
		path: '/hooks',
		body: { formId, targetUrl },
		scope: 'hooks:write',
		purpose: `subscribe to form ${formId}`,
		answer: hook,
	});
}

/** Idempotent: the service answers 204 also for a Hook that is already gone. */
export async function deleteHook(api: Api, hookId: string): Promise<void> {
	await api.send({
		method: 'DELETE',
		path: `/hooks/${segment(hookId)}`,
		scope: 'hooks:write',
		purpose: `remove hook ${hookId}`,
		absentIsSuccess: true,
		answer: noBody,
	});
}
