const { describe } = require('./description');

/** As little as a trigger can do: it passes on what is posted to it. */
class PassOnTrigger {
	description = describe('PassOnTrigger', {
		group: ['trigger'],
		inputs: [],
		webhooks: [
			{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' },
		],
	});

	/** @this {import('n8n-workflow').IWebhookFunctions} */
	async webhook() {
		return { workflowData: [[{ json: this.getBodyData() }]] };
	}
}

module.exports = { PassOnTrigger };
