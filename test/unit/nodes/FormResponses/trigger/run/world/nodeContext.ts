const logger = { warn() {}, info() {}, error() {}, debug() {} };
const node = { id: 'node', name: 'Forms', parameters: {} };

/** What n8n tells the trigger node about itself, in each of its processes. */
export const nodeContext = {
	getNode: () => node,
	getNodeParameter: (name: string) => (name === 'options' ? {} : undefined),
	getWorkflow: () => ({ id: 'workflow' }),
	logger,
};
