import { LoadOptionsContext } from 'n8n-core';
import type { INodeListSearchResult } from 'n8n-workflow';
import type { Stored } from './workflow';
import { install } from './workflow';

/** Opens a list of a resource locator, or scrolls on in it, as the editor does. */
export async function searchList(
	stored: Stored,
	method: string,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const { workflow, node, additionalData } = install(stored);
	additionalData.currentNodeParameters = node.parameters;
	const context = new LoadOptionsContext(workflow, node, additionalData, 'parameters.formId');
	return await stored.type.methods!.listSearch![method].call(context, filter, paginationToken);
}
