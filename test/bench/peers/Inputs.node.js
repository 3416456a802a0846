/** The items that a measured node gets: one for each id that was posted to the workflow. */
class Inputs {
	description = {
		displayName: 'Inputs',
		name: 'inputs',
		group: ['transform'],
		version: 1,
		description: 'One item for each id posted to the workflow',
		defaults: { name: 'Inputs' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
	};

	/** @this {import('n8n-workflow').IExecuteFunctions} */
	async execute() {
		const bodies = this.getInputData().map(
			({ json }) => /** @type {{ ids: string[] }} */ (json.body),
		);
		return [bodies.flatMap(({ ids }) => ids.map((id) => ({ json: { id } })))];
	}
}

module.exports = { Inputs };
