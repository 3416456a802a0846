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

	async execute() {
		const [{ json }] = this.getInputData();
		return [json.body.ids.map((id) => ({ json: { id } }))];
	}
}

module.exports = { Inputs };
