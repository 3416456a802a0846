import type { IHookFunctions } from 'n8n-workflow';
import { readAuthentication, readFormId } from '../../parameters';
import { readBaseUrl } from '../../transport/request';
import type { HookContext } from './hooks';
import { fromOtherNode } from './start';
import type { Service } from '../state/state';
import { remember, stateOf } from '../state/storedState';
import { timing } from '../timing';

/** Undefined where it cannot be told now. */
async function baseUrlNow(context: HookContext): Promise<string | undefined> {
	try {
		return await readBaseUrl(context, readAuthentication(context), timing.startMs);
	} catch {
		return undefined;
	}
}

const credentialIn = (context: HookContext) =>
	context.getNode().credentials?.formResponsesOAuth2Api?.id ?? undefined;

/** Which service the node subscribes at, as far as that can be told without asking it. */
export const serviceOf = (context: HookContext, baseUrl: string): Service => ({
	credentialId: credentialIn(context),
	baseUrl,
});

/** A base URL that cannot be read counts as unchanged: nothing says that the hook is gone. */
async function isSameService(context: HookContext, { credentialId, baseUrl }: Service) {
	if (credentialId !== credentialIn(context)) return false;
	return [baseUrl, undefined].includes(await baseUrlNow(context));
}

/**
 * Whether a start of n8n finds a hook that lives: only DELETE and an answer of 410 end one
 * (playground/service/openapi.yaml), so nothing is asked. Never throws: n8n would give the trigger up.
 */
export async function resumes(context: IHookFunctions): Promise<boolean> {
	const mode = context.getActivationMode();
	if (context.getMode() === 'manual' || mode === 'activate') return false;
	const webhookUrl = context.getNodeWebhookUrl('default');
	const state = stateOf(context);
	const isLive = state?.status === 'subscribed' && state.hookId !== undefined;
	if (!isLive || fromOtherNode(context, state) || state.webhookUrl !== webhookUrl) return false;
	try {
		if (readAuthentication(context) === 'apiKey' || readFormId(context) !== state.formId)
			return false;
	} catch {
		return false;
	}
	if (!(await isSameService(context, state))) return false;
	remember(context, { state, webhookUrl, isSettled: true });
	return true;
}
