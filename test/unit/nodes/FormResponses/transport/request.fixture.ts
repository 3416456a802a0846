import type { IExecuteFunctions } from 'n8n-workflow';
import {
	createHook,
	deleteHook,
	getMe,
} from '../../../../../nodes/FormResponses/transport/endpoints';
import { connect, type ConnectOptions } from '../../../../../nodes/FormResponses/transport/connect';
import type { Api } from '../../../../../nodes/FormResponses/transport/types';
import type { CredentialValues } from '../../../kit/credentials';
import { inRun } from '../../../kit/inRun';
import { anError, FORM_ID, HOOK_ID } from '../../../kit/samples';
import { reply } from '../../../kit/formService';

export const askWho = async (api: Api) => await getMe(api);

export const subscribe = async (api: Api) =>
	await createHook(api, FORM_ID, 'https://example.com/new-response');

export const unsubscribe = async (api: Api) => await deleteHook(api, HOOK_ID);

/** Does something with the service in a run of n8n. */
export async function send<Result>(
	work: (api: Api, context: IExecuteFunctions) => Promise<Result>,
	options: Partial<ConnectOptions> = {},
	credentials?: CredentialValues,
): Promise<Result> {
	const { authentication = 'oAuth2' } = options;
	return await inRun(
		async (context) => await work(await connect(context, { authentication, ...options }), context),
		{ authentication, credentials },
	);
}

export const limited = (retryAfter: string) =>
	reply(429, anError('rate_limited', 'Too many requests'), { 'Retry-After': retryAfter });

export const expired = reply(401, anError('unauthorized', 'Expired'));
