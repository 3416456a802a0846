import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';
import { NodeOperationError, sleep } from 'n8n-workflow';
import { deleteHook } from '../../transport/endpoints';
import { connect } from '../../transport/connect';
import type { Api, Authentication } from '../../transport/types';
import { reachability } from './reachable';
import type { TriggerState } from '../state/state';
import { retryMs, timing } from '../timing';

export type HookContext = IHookFunctions | ITriggerFunctions;

/** Connects for a call that ends in time. @param secrets to be masked */
export const open = async (
	context: HookContext,
	authentication: Authentication,
	endsAt: number,
	secrets: string[] = [],
): Promise<Api> =>
	await connect(context, { authentication, withinMs: endsAt - performance.now(), secrets });

/** Removes a hook; a missing one is a success. Logs failures. */
export async function tryToRemoveHook(
	context: HookContext,
	hookId: string,
	endsAt = performance.now() + timing.attemptMs,
): Promise<boolean> {
	try {
		await deleteHook(await open(context, 'oAuth2', endsAt), hookId);
		return true;
	} catch (error) {
		context.logger.warn(`Hook ${hookId} could not be removed: ${(error as Error).message}`);
		return false;
	}
}

async function retryRemoval(context: HookContext, hookId: string) {
	const giveUpAt = performance.now() + timing.removalMs;
	for (let tries = 1; performance.now() + retryMs(tries) <= giveUpAt; tries++) {
		await sleep(retryMs(tries));
		if (await tryToRemoveHook(context, hookId)) return;
	}
}

/** The scheme decides: "localhost:5678" would be one. */
const isWhole = (url: string) => /^https?:/i.test(url) && URL.canParse(url);

const originOf = (url: string) => (isWhole(url) ? new URL(url).origin : url.split('/')[0]);

/**
 * Removes the hook of an earlier subscription, in the background if the first try fails. Leaves alone hooks for
 * another address, which may be in use there.
 *
 * @returns whether there is none now
 */
export async function removeHook(
	context: HookContext,
	{ hookId, webhookUrl }: Pick<TriggerState, 'hookId' | 'webhookUrl'>,
	ownUrl: string,
	endsAt: number,
): Promise<boolean> {
	if (hookId === undefined) return true;
	if (webhookUrl !== ownUrl) {
		context.logger.warn(
			`Hook ${hookId} delivers to ${originOf(webhookUrl)} and is left alone, because this n8n is at ${originOf(ownUrl)}. If nobody uses that address, remove it with Hook: Delete.`,
		);
		return false;
	}
	if (await tryToRemoveHook(context, hookId, endsAt)) return true;
	void retryRemoval(context, hookId);
	return false;
}

export const SET_WEBHOOK_URL =
	'Set the environment variables WEBHOOK_URL and, for tests, N8N_EDITOR_BASE_URL of n8n to its public address, such as https://n8n.example.com/, and restart n8n.';

const WITHOUT_ADDRESS = 'Or use an API key; for a test, "Latest Response" is enough.';

/** @throws NodeOperationError if the address of this n8n has no scheme */
export function assertWhole(context: HookContext, webhookUrl: string): void {
	if (isWhole(webhookUrl)) return;
	const message = `The address of this n8n is not whole: ${originOf(webhookUrl)}. ${SET_WEBHOOK_URL}`;
	throw new NodeOperationError(context.getNode(), message);
}

/** @throws NodeOperationError if the service at `baseUrl` cannot reach this n8n */
export function assertReachable(context: HookContext, baseUrl: string, webhookUrl: string): void {
	assertWhole(context, webhookUrl);
	const [service, n8n] = [new URL(baseUrl).host, originOf(webhookUrl)];
	const reach = reachability(baseUrl, webhookUrl);
	if (reach === 'doubtful') {
		context.logger.warn(
			`The form service at ${service} may not reach this n8n at ${n8n}, which is a private address. If no responses arrive: ${SET_WEBHOOK_URL}`,
		);
	}
	if (reach !== 'no') return;
	const message = `The form service at ${service} cannot reach this n8n at ${n8n}, which is a local address. ${SET_WEBHOOK_URL} ${WITHOUT_ADDRESS}`;
	throw new NodeOperationError(context.getNode(), message);
}
