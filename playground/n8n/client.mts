import { credentialCalls } from './credentials.mts';
import { executionCalls, nodeOutput } from './executions.mts';
import { logIn, openSession, owner } from './session.mts';
import { workflowCalls } from './workflows.mts';

interface ListQuery {
	nodeType: string;
	/** For example `formId`. */
	parameter: string;
	methodName: string;
	[other: string]: unknown;
}

interface Choices {
	results: Array<{ name: string; value: string }>;
	paginationToken?: string;
}

/** Logs in to a running n8n. */
export async function connectN8n(url: string, account = owner) {
	const session = openSession(url);
	await logIn(session, account);
	return {
		session,
		nodeOutput,
		...credentialCalls(session),
		...workflowCalls(session),
		...executionCalls(session),

		/** Loads a list as the editor does when a person opens it. */
		async resourceLocatorResults({ nodeType, parameter, ...query }: ListQuery): Promise<Choices> {
			return await session.post('/dynamic-node-parameters/resource-locator-results', {
				path: `parameters.${parameter}`,
				nodeTypeAndVersion: { name: nodeType, version: 1 },
				currentNodeParameters: {},
				...query,
			});
		},
	};
}

export type N8nClient = Awaited<ReturnType<typeof connectN8n>>;
