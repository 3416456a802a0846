import { responseKey } from './responseKey';
import {
	formPage,
	hookOf,
	identifiedForm,
	inside,
	noBody,
	responseList,
	responseOf,
	responseWith,
	tokenIdentity,
} from './shapes';
import type {
	Api,
	ApiRequest,
	Form,
	Hook,
	Page,
	ResponseEnvelope,
	Shape,
	TokenIdentity,
} from './types';

/** Limits of the API (playground/service/openapi.yaml). */
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

/** Drops items that cannot be identified, with a warning, so that one invalid item does not hide the others. */
function identified<Item>(api: Api, kind: string, list: Item[], shape: Shape): Item[] {
	return list.filter((item, index) => {
		const path = shape(item);
		if (path === undefined) return true;
		api.warn(
			`A ${kind} was left out, because ${inside(`data[${index}]`, path)} is not as the API is documented.`,
		);
		return false;
	});
}

/** Also used to find a single Form: the API has no other way. */
export const FORM_LIST: ApiRequest = {
	method: 'GET',
	path: '/forms',
	scope: 'forms:read',
	purpose: 'list the forms',
	answer: formPage,
};

/** A page of Forms, most recently updated first. Only the IDs are validated. */
export async function listForms(
	api: Api,
	query: { limit: number; cursor?: string },
): Promise<Page<Form>> {
	const { data, nextCursor } = await api.send<Page<Form>>({ ...FORM_LIST, query });
	return { data: identified(api, 'form', data, identifiedForm), nextCursor };
}

/** The latest Responses of a Form. Only IDs, form and completion time are validated. */
interface Latest {
	/** Newest first, without duplicates. */
	responses: ResponseEnvelope[];
	/** Whether the service listed as many as were asked for, so that there may be more. */
	isFull: boolean;
}

export async function listLatest(api: Api, formId: string, limit: number): Promise<Latest> {
	const { data } = await api.send<{ data: ResponseEnvelope[] }>({
		method: 'GET',
		path: `/forms/${segment(formId)}/responses`,
		query: { limit },
		scope: 'responses:read',
		purpose: `read the responses of form ${formId}`,
		answer: responseList(formId),
	});
	const all = identified(api, `response to form ${formId}`, data, responseOf(formId));
	const single = [...new Map(all.map((one) => [responseKey(one), one])).values()];
	return { responses: single.slice(0, limit), isFull: data.length >= limit };
}

export const listResponses = async (api: Api, formId: string, limit: number) =>
	(await listLatest(api, formId, limit)).responses;

export async function getResponse(api: Api, responseId: string): Promise<ResponseEnvelope> {
	return await api.send({
		method: 'GET',
		path: `/responses/${segment(responseId)}`,
		scope: 'responses:read',
		purpose: `read response ${responseId}`,
		answer: responseWith(responseId),
	});
}

export async function createHook(api: Api, formId: string, targetUrl: string): Promise<Hook> {
	return await api.send({
		method: 'POST',
		path: '/hooks',
		body: { formId, targetUrl },
		scope: 'hooks:write',
		purpose: `subscribe to form ${formId}`,
		answer: hookOf(formId),
	});
}

/** Idempotent: the service also answers 204 for a deleted Hook. */
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
