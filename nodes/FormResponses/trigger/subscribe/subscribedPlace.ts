import type { IHookFunctions } from 'n8n-workflow';
import { readAuthentication, readFormId } from '../../parameters';
import { credentialTypeOf, readBaseUrl } from '../../transport/connect';
import type { Authentication } from '../../transport/types';
import type { Place } from '../state/triggerState';
import { timing } from '../timing';
import type { HookContext } from './hookContext';

/** As the service gets it: who writes the address of n8n in another way moves nothing. */
export function webhookUrlOf(context: IHookFunctions): string {
	const url = context.getNodeWebhookUrl('default') as string;
	return URL.canParse(url) ? new URL(url).href : url;
}

/** Undefined where it cannot be read now. */
export async function baseUrlOf(context: HookContext, authentication: Authentication) {
	try {
		return await readBaseUrl(context, authentication, timing.startMs);
	} catch {
		return undefined;
	}
}

/**
 * What the node subscribes to now, without a question to the service.
 *
 * @throws NodeOperationError if the form is invalid
 */
export async function placeOf(context: HookContext, webhookUrl: string): Promise<Place> {
	const authentication = readAuthentication(context);
	return {
		formId: readFormId(context),
		webhookUrl,
		credentialId:
			context.getNode().credentials?.[credentialTypeOf(authentication)]?.id ?? undefined,
		baseUrl: await baseUrlOf(context, authentication),
	};
}

/** A base URL that cannot be read counts as unchanged: nothing says that the hook is gone. */
export const isSamePlace = (now: Place, before: Place): boolean =>
	now.formId === before.formId &&
	now.webhookUrl === before.webhookUrl &&
	now.credentialId === before.credentialId &&
	(now.baseUrl === undefined || now.baseUrl === before.baseUrl);
