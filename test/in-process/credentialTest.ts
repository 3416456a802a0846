import { ExecuteContext, RoutingNode } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	INodeType,
} from 'n8n-workflow';
import { createEmptyRunExecutionData } from 'n8n-workflow';
import { install } from './workflow';

export interface TestVerdict {
	status: 'OK' | 'Error';
	message: string;
}

/** A node that makes the test's request only (CLI, credentials-tester.service.ts). */
function probeFor({ name }: ICredentialType, { request }: ICredentialTestRequest): INodeType {
	return {
		description: {
			displayName: 'Probe',
			name: 'probe',
			group: ['input'],
			version: 1,
			description: '',
			defaults: {},
			inputs: ['main'],
			outputs: ['main'],
			requestDefaults: {},
			credentials: [{ name, required: true }],
			properties: [
				{ displayName: 'Temp', name: 'temp', type: 'string', default: '', routing: { request } },
			],
		},
	};
}

interface TestError extends Error {
	cause?: { code?: string; response?: { status: number; statusText?: string } };
}

function verdictOn(error: TestError, { rules = [] }: ICredentialTestRequest): TestVerdict {
	const { response, code } = error.cause ?? {};
	const rule = rules.find(
		({ type, properties }) => type === 'responseCode' && properties.value === response?.status,
	);
	const ownMessage =
		response && (response.statusText || `Received HTTP status code: ${response.status}`);
	return {
		status: 'Error',
		message: rule?.properties.message ?? ownMessage ?? code ?? error.message,
	};
}

/** The value at a path such as `a.b`, as lodash's `get` finds it. */
const valueAt = (json: unknown, path: string) =>
	path
		.split('.')
		.reduce((value, key) => (value as Record<string, unknown> | undefined)?.[key], json);

function verdictOnBody(json: unknown, { rules = [] }: ICredentialTestRequest): TestVerdict {
	for (const { type, properties } of rules) {
		if (type === 'responseSuccessBody' && valueAt(json, properties.key) === properties.value) {
			return { status: 'Error', message: properties.message };
		}
	}
	return { status: 'OK', message: 'Connection successful!' };
}

/** What the editor shows when the credential with these values is saved. */
export async function testCredential(
	credential: ICredentialType,
	data: ICredentialDataDecryptedObject,
): Promise<TestVerdict> {
	const type = probeFor(credential, credential.test!);
	const { workflow, node, additionalData } = install({
		type,
		parameters: {},
		credentials: { [credential.name]: data },
	});
	const context = new ExecuteContext(
		workflow,
		node,
		additionalData,
		'internal',
		createEmptyRunExecutionData(),
		0,
		[],
		{ main: [[{ json: {} }]] },
		{ node, data: {}, source: null },
		[],
	);
	const decrypted = { id: '1', name: credential.displayName, type: credential.name, data };
	try {
		await workflow.expression.acquireIsolate();
		const output = await new RoutingNode(context, type, decrypted).runNode();
		return verdictOnBody(output![0][0].json, credential.test!);
	} catch (error) {
		return verdictOn(error as TestError, credential.test!);
	} finally {
		await workflow.expression.releaseIsolate();
	}
}
