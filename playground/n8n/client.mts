import { credentialCalls } from './credentials.mts';
import { executionCalls, nodeOutput } from './executions.mts';
import { logIn, openSession, owner } from './session.mts';
import { workflowCalls } from './workflows.mts';

interface ListQuery {
	nodeType: string;
	/** The parameter asked about, for example `formId`. */
	parameter: string;
	/** The node's method which answers. */
	methodName: string;
	[other: string]: unknown;
}

interface Choices {
	results: Array<{ name: string; value: string }>;
	paginationToken?: string;
}

/** A client of a running n8n, logged in. */
export async function connectN8n(url: string, account = owner) {
	const session = openSession(url);
	await logIn(session, account);
	return {
		session,
		nodeOutput,
		...credentialCalls(session),
		...workflowCalls(session),
		...executionCalls(session),

		/** What the editor asks when a person opens a list to choose from. */
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
