/** As little as a node can do to read all forms: a loop over n8n's own request helper. */
class FormsLoop {
	description = {
		displayName: 'Forms Loop',
		name: 'formsLoop',
		group: ['transform'],
		version: 1,
		description: 'Reads all forms in a bare loop',
		defaults: { name: 'Forms Loop' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'formResponsesOAuth2Api', required: true }],
		properties: [],
	};

	/** @this {import('n8n-workflow').IExecuteFunctions} */
	async execute() {
		const type = 'formResponsesOAuth2Api';
		const { baseUrl } = await this.getCredentials(type);
		const request = this.helpers.httpRequestWithAuthentication;
		/** @type {import('n8n-workflow').INodeExecutionData[]} */
		const items = [];
		/** @type {string | undefined} */
		let cursor;
		do {
			const qs = { limit: 100, ...(cursor && { cursor }) };
			const options = { url: `${baseUrl}/forms`, qs, json: true };
			const page = await request.call(this, type, options);
			for (const json of page.data) items.push({ json, pairedItem: { item: 0 } });
			cursor = page.nextCursor;
		} while (cursor);
		return [items];
	}
}

module.exports = { FormsLoop };
