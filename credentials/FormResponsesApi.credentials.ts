import type {
	IAuthenticate,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';
import { assertApiKey } from '../nodes/FormResponses/transport/apiKey';
import { assertBaseUrl } from '../nodes/FormResponses/transport/baseUrl';
import { baseUrlField } from './baseUrlField';
import { credentialTest } from './credentialTest';
import { toOwnOrigin } from './ownOrigin';

export class FormResponsesApi implements ICredentialType {
	name = 'formResponsesApi';

	displayName = 'Form Responses API';

	icon: Icon = {
		light: 'file:../nodes/FormResponses/formResponses.svg',
		dark: 'file:../nodes/FormResponses/formResponses.dark.svg',
	};

	documentationUrl =
		'https://github.com/example-org/n8n-nodes-form-responses/blob/main/docs/credentials.md';

	properties: INodeProperties[] = [
		baseUrlField,
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description: 'A live API key of the workspace',
		},
		{
			displayName:
				'An API key can only read responses (scope responses:read). To choose forms from a list and have responses pushed, use the Form Responses OAuth2 API credential.',
			name: 'scopeNotice',
			type: 'notice',
			default: '',
		},
		{
			// n8n adds a visible field of this name unless there is one. `authenticate` is stricter than that field.
			displayName: 'Allowed HTTP Request Domains',
			name: 'allowedHttpRequestDomains',
			type: 'hidden',
			default: 'all',
		},
	];

	authenticate: IAuthenticate = async ({ baseUrl, apiKey }, requestOptions) => {
		const request = toOwnOrigin(assertBaseUrl(baseUrl), requestOptions);
		const authorization = `Bearer ${assertApiKey(apiKey)}`;
		return { ...request, headers: { ...request.headers, Authorization: authorization } };
	};

	test: ICredentialTestRequest = credentialTest(
		'The form service does not accept the API key. Copy the key of the workspace again.',
	);
}
