import { HookContext } from 'n8n-core';
import type { IDataObject, WorkflowActivateMode } from 'n8n-workflow';
import { install, webhookDataOf, type Stored } from './workflow';

interface HookOptions {
	/** For the listener of "Listen for test event". */
	isTest?: boolean;
	activation?: WorkflowActivateMode;
}

/** A context of the published node, as hook methods get it. */
export function hookContextOf(stored: Stored): HookContext {
	const { workflow, node, additionalData } = install(stored);
	return new HookContext(workflow, node, additionalData, 'trigger', 'activate');
}

/**
 * Calls a webhook method as n8n does: on success and on failure alike it stores the static data,
 * which is given back through `stored`, so that the next call finds it.
 */
export async function callHook(
	stored: Stored,
	name: 'checkExists' | 'create' | 'delete',
	{ isTest = false, activation = 'activate' }: HookOptions = {},
): Promise<boolean> {
	const installed = install(stored);
	const { workflow, node, additionalData } = installed;
	const mode = isTest ? (name === 'delete' ? 'internal' : 'manual') : 'trigger';
	const webhookData = webhookDataOf(stored, installed, isTest);
	const context = new HookContext(workflow, node, additionalData, mode, activation, webhookData);
	try {
		return await stored.type.webhookMethods!.default![name].call(context);
	} finally {
		stored.staticData = JSON.parse(JSON.stringify(workflow.staticData)) as IDataObject;
	}
}

/**
 * Registers the webhook as n8n does: `create` where `checkExists` says so, and `delete` once where
 * that fails.
 */
export async function activate(stored: Stored, options: HookOptions = {}): Promise<void> {
	if (await callHook(stored, 'checkExists', options)) return;
	const creation = callHook(stored, 'create', options);
	await creation.catch(async () => await callHook(stored, 'delete', options).catch(() => {}));
	await creation;
}

export const deactivate = async (stored: Stored, options?: HookOptions) =>
	await callHook(stored, 'delete', options);
