const PARTS = '(actions|trigger|methods)/';
const SHARED = '[^/]+(?<!\\.node)\\.ts$';
const API = 'transport/(endpoints|formPages)\\.ts$';
const DOORS = `${API}|transport/(comparableText|connect|errors|networkText|paginate|responseKey|shapes|timeLimit)\\.ts$`;

/** What needs no n8n to be understood or tested: it waits for nothing, asks nobody and remembers nothing. */
const PURE =
	'(actions/pool|transport/(comparableText|maxWait|networkText|outcome|paginate|rateEstimate|redact|responseKey|retry|shapes)|' +
	'trigger/(onlyIfCondition|receive/statusTable|runInput|recover/(hookDoubt|lookInterval|missedResponses|pendingResponses)|run/duplicateRules|state/(hookKey|triggerState)|subscribe/reachable|timing))\\.ts$';

/**
 * A room of the trigger: it knows the state, and of the other rooms one door at most.
 *
 * @returns {[name: string, from: string, to: string]}
 */
const room = (/** @type {string} */ name, door = '-') => [
	name,
	`trigger/${name}/`,
	`trigger/(${name}/|state/|${door}|[^/]+$)|${SHARED}|${DOORS}`,
];

/**
 * The rooms below nodes/FormResponses, and what each may import there. Every room may import the types of the API.
 *
 * @type {Array<[name: string, from: string, to: string]>}
 */
const ROOMS = [
	['node', '[^/]+\\.node\\.ts$', `fields\\.ts$|${PARTS}`],
	['actions', 'actions/', `actions/|${SHARED}|${DOORS}`],
	['state', 'trigger/state/', `trigger/(state/|[^/]+$)`],
	...['receive', 'run', 'subscribe'].map((name) => room(name)),
	room('recover', 'subscribe/spareHook\\.ts$'),
	['methods', 'methods/', `methods/|trigger/onlyIfCondition\\.ts$|${SHARED}|${DOORS}`],
	['shared', SHARED, `${SHARED}|${DOORS}`],
	['api', API, 'responseKey\\.ts$|transport/'],
	['transport', 'transport/(?!endpoints|formPages)', 'transport/(?!endpoints|formPages)'],
];

const nodes = (/** @type {string} */ files) => `^nodes/FormResponses/(${files})`;

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
	forbidden: [
		...ROOMS.map(([name, from, to]) => ({
			name,
			severity: /** @type {const} */ ('error'),
			from: { path: nodes(from) },
			to: { path: nodes(''), pathNot: nodes(`${to}|transport/types\\.ts$`) },
		})),
		{
			name: 'credentials',
			severity: 'error',
			from: { path: '^credentials/' },
			to: {
				path: '^(nodes|credentials)/',
				pathNot: `^credentials/|${nodes('transport/(apiKey|baseUrl)\\.ts$')}`,
			},
		},
		{
			name: 'pure',
			severity: 'error',
			from: { path: nodes(PURE) },
			to: { pathNot: `${nodes(PURE)}|^crypto$`, dependencyTypesNot: ['type-only'] },
		},
		{
			name: 'what-ships',
			comment: 'n8n gives a community node n8n-workflow, and allows crypto.',
			severity: 'error',
			from: { path: '^(nodes|credentials|dist)/' },
			to: { pathNot: '^(nodes|credentials|dist|node_modules/n8n-workflow)/|^crypto$' },
		},
		{
			name: 'from-outside',
			comment: 'What runs a real n8n knows the nodes as n8n does: built.',
			severity: 'error',
			from: { path: '^(playground|tools|test/n8n)/' },
			to: { path: '^(nodes|credentials)/' },
		},
		{
			name: 'no-circle',
			severity: 'error',
			from: {},
			to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		tsPreCompilationDeps: true,
	},
};
