import type { IHookFunctions, ITriggerFunctions, NodeApiError } from 'n8n-workflow';
import { NodeOperationError, sleep } from 'n8n-workflow';
import { createHook, deleteHook } from '../../transport/endpoints';
import { isAllowanceError } from '../../transport/errors';
import { connect } from '../../transport/request';
import type { Api, Authentication, Hook } from '../../transport/types';
import { reachability } from './reachable';
import type { TriggerState } from '../state/state';
import { retryMs, timing } from '../timing';

export type HookContext = IHookFunctions | ITriggerFunctions;

/** Connects for a call that ends in time. @param token of a hook, to be masked */
export async function open(
	context: HookContext,
	authentication: Authentication,
	{ endsAt, token }: { endsAt: number; token?: string },
): Promise<Api> {
	const secrets = token === undefined ? [] : [token];
	return await connect(context, { authentication, withinMs: endsAt - Date.now(), secrets });
}

/**
 * Removes the hook of an earlier subscription; a missing hook is a success. Logs failures: a remaining hook is
 * answered 410, which removes it.
 */
export async function tryToRemoveHook(
	context: HookContext,
	{ hookId }: TriggerState,
	endsAt = Date.now() + timing.attemptMs,
): Promise<boolean> {
	if (hookId === undefined) return true;
	try {
		await deleteHook(await open(context, 'oAuth2', { endsAt }), hookId);
		return true;
	} catch (error) {
		context.logger.warn(`Hook ${hookId} could not be removed: ${(error as Error).message}`);
		return false;
	}
}

/** Retries the removal with growing waits, until it succeeds, time is up or the caller no longer wants it. */
export async function retryRemoval(
	context: HookContext,
	state: TriggerState,
	forMs: number,
	isStillWanted: () => boolean = () => true,
): Promise<void> {
	const giveUpAt = Date.now() + forMs;
	for (let tries = 1; Date.now() + retryMs(tries) <= giveUpAt; tries++) {
		await sleep(retryMs(tries));
		if (!isStillWanted() || (await tryToRemoveHook(context, state))) return;
	}
}

/** Removes a hook that nobody needs, in the background if the first attempt fails. */
export async function removeUnneededHook(
	context: HookContext,
	state: TriggerState,
	endsAt: number,
	forMs = timing.removalMs,
): Promise<void> {
	if (await tryToRemoveHook(context, state, endsAt)) return;
	void retryRemoval(context, state, forMs);
}

/**
 * Creates a hook before the earlier one is removed, unless the allowance requires its removal first.
 *
 * @param onRemoved called when the earlier hook was removed first
 * @throws NodeApiError; requests that the service may have carried out are not repeated
 */
export async function createReplacement(
	context: HookContext,
	api: Api,
	previous: TriggerState | undefined,
	{ formId, targetUrl, endsAt }: { formId: string; targetUrl: string; endsAt: number },
	onRemoved: () => void,
): Promise<Hook> {
	try {
		return await createHook(api, formId, targetUrl);
	} catch (error) {
		const mayMakeRoom = previous?.hookId !== undefined && isAllowanceError(error as Error);
		if (!mayMakeRoom || !(await tryToRemoveHook(context, previous, endsAt))) {
			throw error as NodeApiError;
		}
		onRemoved();
		return await createHook(api, formId, targetUrl);
	}
}

/** @throws NodeOperationError if the service at `baseUrl` cannot reach this n8n */
export function assertReachable(context: HookContext, baseUrl: string, webhookUrl: string): void {
	const reach = reachability(baseUrl, webhookUrl);
	const [service, n8n] = [new URL(baseUrl).host, new URL(webhookUrl).origin];
	const fix =
		'Set the environment variable WEBHOOK_URL of n8n to its public address and restart n8n.';
	if (reach === 'doubtful') {
		context.logger.warn(
			`The form service at ${service} may not reach this n8n at ${n8n}, which is a private address. If no responses arrive: ${fix}`,
		);
	}
	if (reach === 'no') {
		const message = `The form service at ${service} cannot reach this n8n at ${n8n}, which is a local address. ${fix}`;
		throw new NodeOperationError(context.getNode(), message);
	}
}
