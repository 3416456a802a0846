const { describe } = require('./description');

const type = 'formResponsesOAuth2Api';

/** As little as a node can do to read all forms: a loop over n8n's own request helper. */
class FormsLoop {
	description = describe('FormsLoop', { credentials: [{ name: type, required: true }] });

	/** @this {import('n8n-workflow').IExecuteFunctions} */
	async execute() {
		const { baseUrl } = await this.getCredentials(type);
		const request = this.helpers.httpRequestWithAuthentication;
		/** @type {import('n8n-workflow').INodeExecutionData[]} */
		const items = [];
		/** @type {string | undefined} */
		let cursor;
		do {
			const qs = { limit: 100, ...(cursor && { cursor }) };
			const page = await request.call(this, type, { url: `${baseUrl}/forms`, qs, json: true });
			for (const json of page.data) items.push({ json, pairedItem: { item: 0 } });
			cursor = page.nextCursor;
		} while (cursor);
		return [items];
	}
}

module.exports = { FormsLoop };
