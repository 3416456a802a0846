import {
	isFormPage,
	isHook,
	isNoBody,
	isResponseEnvelope,
	isResponseList,
	isTokenIdentity,
} from './shapes';
import type { Api, Form, Hook, Page, ResponseEnvelope, TokenIdentity } from './types';

/** The API's own limits (API document, section 8). */
export const MAX_FORMS_PER_PAGE = 100;
export const MAX_RESPONSES = 25;

const segment = encodeURIComponent;

export async function getMe(api: Api): Promise<TokenIdentity> {
	return await api.send({
		method: 'GET',
		path: '/me',
		purpose: 'identify the token',
		shape: '{ workspace, user, scope }',
		isBody: isTokenIdentity,
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
		shape: '{ data: Form[], nextCursor }',
		isBody: isFormPage,
	});
}

/** The latest completed Responses of a Form, newest first. */
export async function listResponses(
	api: Api,
	formId: string,
	limit: number,
): Promise<ResponseEnvelope[]> {
	const { data } = await api.send({
		method: 'GET',
		path: `/forms/${segment(formId)}/responses`,
		query: { limit },
		scope: 'responses:read',
		purpose: `read the responses of form ${formId}`,
		shape: '{ data: Response[] }',
		isBody: isResponseList,
	});
	return data;
}

export async function getResponse(api: Api, responseId: string): Promise<ResponseEnvelope> {
	return await api.send({
		method: 'GET',
		path: `/responses/${segment(responseId)}`,
		scope: 'responses:read',
		purpose: `read response ${responseId}`,
		shape: '{ event, createdAt, data }',
		isBody: isResponseEnvelope,
	});
}

export async function createHook(api: Api, formId: string, targetUrl: string): Promise<Hook> {
	return await api.send({
		method: 'POST',
		path: '/hooks',
		body: { formId, targetUrl },
		scope: 'hooks:write',
		purpose: `subscribe to form ${formId}`,
		shape: '{ id, formId, targetUrl, createdAt }',
		status: 201,
		isBody: isHook,
	});
}

/** Idempotent: the service answers 204 also for a Hook that is already gone. */
export async function deleteHook(api: Api, hookId: string): Promise<void> {
	await api.send({
		method: 'DELETE',
		path: `/hooks/${segment(hookId)}`,
		scope: 'hooks:write',
		purpose: `remove hook ${hookId}`,
		shape: 'no body',
		absentIsSuccess: true,
		isBody: isNoBody,
	});
}
