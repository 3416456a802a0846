import { RoutingNode, type ExecuteContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { execute } from './execute';

type Rules = NonNullable<ICredentialTestRequest['rules']>;

interface TestError extends Error {
	cause?: { code?: string; response?: { status: number; statusText?: string } };
}

/** What n8n makes of a request that failed. */
function messageOf({ cause = {}, message }: TestError, rules: Rules): string {
	const { response, code } = cause;
	const rule = rules.find(
		({ type, properties }) => type === 'responseCode' && properties.value === response?.status,
	);
	if (rule) return rule.properties.message;
	if (!response) return code ?? message;
	return response.statusText || `Received HTTP status code: ${response.status}`;
}

/** The value at a path such as `a.b`, as lodash's `get` finds it. */
const valueAt = (json: unknown, path: string) =>
	path
		.split('.')
		.reduce((value, key) => (value as Record<string, unknown> | undefined)?.[key], json);

/** What is wrong with an answer of 200. */
const faultOf = (json: unknown, rules: Rules): string | undefined =>
	rules.find(
		({ type, properties }) =>
			type === 'responseSuccessBody' && valueAt(json, properties.key) === properties.value,
	)?.properties.message;

/** What the editor shows when the credential with these values is saved (CLI, credentials-tester.service.ts). */
export async function testCredential(
	{ name, displayName, test }: ICredentialType,
	data: ICredentialDataDecryptedObject,
) {
	const { request, rules = [] } = test!;
	const routing = { request };
	const description: Partial<INodeTypeDescription> = {
		name: 'probe',
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name, required: true }],
		properties: [{ displayName: 'Temp', name: 'temp', type: 'string', default: '', routing }],
	};
	let fault: string | undefined;
	const type: INodeType = {
		description: description as INodeTypeDescription,
		async execute() {
			const decrypted = { id: '1', name: displayName, type: name, data };
			const node = new RoutingNode(this as ExecuteContext, type, decrypted);
			fault = await node.runNode().then(
				(output) => faultOf(output![0][0].json, rules),
				(error: TestError) => messageOf(error, rules),
			);
			return [[]];
		},
	};
	await execute({ type, parameters: {}, credentials: { [name]: data }, mode: 'internal' });
	return fault === undefined
		? { status: 'OK', message: 'Connection successful!' }
		: { status: 'Error', message: fault };
}
