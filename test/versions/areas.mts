/** What is tested in every version of n8n, by the file of test/e2e that tests it. */
export const areas: Record<string, string> = {
	'lifecycle.test.mts': 'publishing, test events, unpublishing',
	'reliability.test.mts': 'the promise: nothing lost, nothing twice, nobody in',
	'actions.test.mts': 'every action, bad input, error output',
	'faults.test.mts': 'faults of the service and the network, renewal of tokens',
	'origin.test.mts': 'credentials go to their own origin only',
	'tool.test.mts': 'as a tool of an AI agent',
};
