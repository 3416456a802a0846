import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';
import { connect } from '../../transport/connect';
import type { Api, Authentication } from '../../transport/types';

export type HookContext = IHookFunctions | ITriggerFunctions;

/** Connects for a call that ends in time. @param secrets to be masked */
export const open = async (
	context: HookContext,
	authentication: Authentication,
	endsAt: number,
	secrets: string[] = [],
): Promise<Api> =>
	await connect(context, { authentication, withinMs: endsAt - performance.now(), secrets });
