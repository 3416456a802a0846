import { UserError } from 'n8n-workflow';

/**
 * The API key without blanks around it.
 *
 * @throws UserError when it is empty or has a character that no key has; the key is not in the message
 */
export function assertApiKey(value: unknown): string {
	const key = typeof value === 'string' ? value.trim() : '';
	if (key === '') {
		throw new UserError('The API Key of the credential is empty. Enter the key of your workspace.');
	}
	if (!/^[\x21-\x7e]+$/.test(key)) {
		throw new UserError(
			'The API Key of the credential has a space, a line break or another character that a key cannot have. Copy the key again, without anything around it.',
		);
	}
	return key;
}
