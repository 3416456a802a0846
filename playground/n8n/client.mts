import { credentialCalls } from './credentials.mts';
import { executionCalls, nodeOutput } from './executions.mts';
import { nodeParameterCalls } from './node-parameters.mts';
import { logInAsOwner } from './owner.mts';
import { openSession } from './session.mts';
import { workflowCalls } from './workflows.mts';

export type * from './types.mts';

/** A client of a running n8n, logged in as its owner (whose account is made on first use). */
export async function connectN8n(url: string) {
	const session = openSession(url.replace(/\/+$/, ''));
	await logInAsOwner(session);
	return {
		session,
		nodeOutput,
		...credentialCalls(session),
		...workflowCalls(session),
		...executionCalls(session),
		...nodeParameterCalls(session),
	};
}

export type N8nClient = Awaited<ReturnType<typeof connectN8n>>;
