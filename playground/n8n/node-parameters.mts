import type { Session } from './session.mts';
import type { JsonObject } from './types.mts';

export interface DynamicQuery {
	nodeType: string;
	version?: number;
	/** The parameter asked about, for example `formId`. */
	parameter: string;
	/** The node's method which answers. */
	methodName: string;
	currentNodeParameters?: JsonObject;
	credentials?: Record<string, { id: string; name: string }>;
}

export interface Choice {
	name: string;
	value: string;
	url?: string;
	description?: string;
}

function payload(query: DynamicQuery) {
	return {
		path: `parameters.${query.parameter}`,
		nodeTypeAndVersion: { name: query.nodeType, version: query.version ?? 1 },
		currentNodeParameters: query.currentNodeParameters ?? {},
		methodName: query.methodName,
		credentials: query.credentials,
	};
}

/** What the editor asks when a person opens a dropdown. */
export function nodeParameterCalls(session: Session) {
	return {
		async dynamicOptions(query: DynamicQuery): Promise<Choice[]> {
			return await session.post('/dynamic-node-parameters/options', payload(query));
		},

		async resourceLocatorResults(
			query: DynamicQuery & { filter?: string; paginationToken?: string },
		): Promise<{ results: Choice[]; paginationToken?: string }> {
			const { filter, paginationToken } = query;
			return await session.post('/dynamic-node-parameters/resource-locator-results', {
				...payload(query),
				filter,
				paginationToken,
			});
		},
	};
}
