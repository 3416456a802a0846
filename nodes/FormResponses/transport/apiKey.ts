import { UserError } from 'n8n-workflow';

/**
 * Returns the trimmed API key.
 *
 * @throws UserError if it is empty or has a character that no key has; the message omits the key
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
