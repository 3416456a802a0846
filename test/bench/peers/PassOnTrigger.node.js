/** As little as a trigger can do: it passes on what is posted to it. */
class PassOnTrigger {
	description = {
		displayName: 'Pass On Trigger',
		name: 'passOnTrigger',
		group: ['trigger'],
		version: 1,
		description: 'Passes on what is posted to it',
		defaults: { name: 'Pass On Trigger' },
		inputs: [],
		outputs: ['main'],
		webhooks: [
			{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' },
		],
		properties: [],
	};

	/** @this {import('n8n-workflow').IWebhookFunctions} */
	async webhook() {
		return { workflowData: [[{ json: this.getBodyData() }]] };
	}
}

module.exports = { PassOnTrigger };
