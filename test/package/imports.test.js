const { existsSync, readFileSync } = require('node:fs');
const { dirname, join, normalize } = require('node:path');
const { filesIn, root } = require('./built');
const { circlesIn } = require('./circles');

const IMPORT =
	/(?:^(?:import|export)\s+(type\s)?(?:[^;']*?from\s+)?|\b(?:import|require)\(\s*)'([^']+)'/gm;

/** @type {(from: string, module: string) => string | undefined} */
function resolved(from, module) {
	const path = normalize(join(dirname(from), module)).replaceAll('\\', '/');
	const candidates = [path, `${path}.ts`, `${path}/index.ts`, `${path}.mts`];
	return candidates.find(
		(candidate) => /\.\w+$/.test(candidate) && existsSync(join(root, candidate)),
	);
}

/**
 * The files of the repository that a file imports, and whether for their types only.
 *
 * @param {string} path
 */
function importsOf(path) {
	return [...readFileSync(join(root, path), 'utf8').matchAll(IMPORT)]
		.filter(([, , module]) => module.startsWith('.'))
		.map(([, type, module]) => ({
			isType: type !== undefined,
			module,
			target: resolved(path, module),
		}));
}

const BASE = 'nodes/FormResponses/';
const sources = filesIn('.', /^(nodes|credentials)\/.+\.ts$/);
const inNodes = sources.filter((path) => path.startsWith(BASE));

/**
 * Which files may import which, below nodes/FormResponses: each may import what stands to the right
 * of the first pattern that fits it. Types of the API may be imported by all.
 *
 * @type {Array<[files: RegExp, below: RegExp]>}
 */
const directions = [
	[
		/^(fields|output|transport\/(folded|networkText|pace|retry|paginate|redact|outcome|types)|actions\/pool)\.ts$/,
		/^$/,
	],
	[/^(deduplication|responseKey)\.ts$/, /^$/],
	[/^[^/]+\.node\.ts$/, /^(fields\.ts|actions\/|trigger\/|methods\/)/],
	[
		/^actions\//,
		/^(actions\/|(fields|output|parameters|deduplication|responseKey)\.ts|transport\/(endpoints|folded|formPages|request|errors|types)\.ts)/,
	],
	[/^trigger\/(deliveryToken|identity|lookInterval|reachable|received|timing)\.ts$/, /^$/],
	[/^trigger\/(state|version010)\.ts$/, /^trigger\/(deliveryToken|state)\.ts/],
	[/^trigger\/missed\.ts$/, /^(responseKey|trigger\/state)\.ts/],
	[/^trigger\/polling\.ts$/, /^(responseKey|trigger\/state|transport\/endpoints)\.ts/],
	[/^trigger\/marks\.ts$/, /^(deduplication|trigger\/(identity|timing))\.ts/],
	[/^trigger\/atWork\.ts$/, /^trigger\/identity\.ts/],
	[/^trigger\/journal\.ts$/, /^trigger\/(atWork|identity|marks|timing)\.ts/],
	[
		/^trigger\//,
		/^(trigger\/|(output|parameters|deduplication|responseKey)\.ts|transport\/(endpoints|request|errors|shapes|types)\.ts)/,
	],
	[/^methods\//, /^transport\/(folded|formPages|request)\.ts/],
	[/^parameters\.ts$/, /^(fields|output|transport\/(shapes|types))\.ts/],
	[/^transport\/formPages\.ts$/, /^transport\/(endpoints|paginate)\.ts/],
	[/^transport\/endpoints\.ts$/, /^(responseKey|transport\/shapes)\.ts/],
	[
		/^transport\/request\.ts$/,
		/^transport\/(apiKey|baseUrl|errors|exchange|keptCredential|outcome|patience|rateLimiter|retry)\.ts/,
	],
	[/^transport\/patience\.ts$/, /^transport\/retry\.ts/],
	[/^transport\/rateLimiter\.ts$/, /^transport\/pace\.ts/],
	[/^transport\/exchange\.ts$/, /^transport\/(keptCredential|outcome)\.ts/],
	[/^transport\/keptCredential\.ts$/, /^transport\/shapes\.ts/],
	[/^transport\/errors\.ts$/, /^transport\/(errorBody|errorMessage|redact)\.ts/],
	[/^transport\/errorBody\.ts$/, /^transport\/(redact|shapes)\.ts/],
	[/^transport\/errorMessage\.ts$/, /^transport\/(errorBody|networkText)\.ts/],
	[/^transport\//, /^$/],
];

test.each(inNodes)('%s imports what is below it only', (path) => {
	const own = path.slice(BASE.length);
	const [, allowed] = directions.find(([files]) => files.test(own)) ?? [];
	if (allowed === undefined) throw new Error(`No rule says what ${own} may import.`);
	const wrong = importsOf(path).filter(({ target, isType }) => {
		const below = target?.startsWith(BASE) ? target.slice(BASE.length) : undefined;
		if (below === undefined) return true;
		return !allowed.test(below) && !(isType && below === 'transport/types.ts');
	});
	expect(wrong).toEqual([]);
});

test('a credential imports only the rules for its fields', () => {
	const targets = sources
		.filter((path) => path.startsWith('credentials/'))
		.flatMap((path) => importsOf(path).map(({ target }) => target));
	const rules = ['apiKey', 'baseUrl', 'credentialTest', 'ownOrigin'].map(
		(name) => `${BASE}transport/${name}.ts`,
	);
	expect(targets.filter((target) => !rules.includes(target ?? ''))).toEqual([]);
});

test('no file imports itself in a circle', () => {
	const graph = new Map(
		sources.map((path) => [
			path,
			importsOf(path)
				.filter(({ isType }) => !isType)
				.flatMap(({ target }) => target ?? []),
		]),
	);
	expect(circlesIn(sources, (path) => graph.get(path) ?? [])).toEqual([]);
});

/** What needs no n8n at all to be understood, or to be tried: no waiting, no asking, no memory. */
test.each([
	'deliveryToken',
	'lookInterval',
	'missed',
	'reachable',
	'state',
	'timing',
	'version010',
])('trigger/%s.ts is pure: it imports nothing that does something', (name) => {
	const source = readFileSync(join(root, BASE, 'trigger', `${name}.ts`), 'utf8');
	const modules = [...source.matchAll(IMPORT)].filter(([, type]) => type === undefined);
	const others = modules.map(([, , module]) => module).filter((one) => !one.startsWith('.'));
	expect(others.filter((module) => module !== 'crypto')).toEqual([]);
	expect(source).not.toMatch(/Date\.now\(|Math\.random\(|\bcontext\b/);
	expect(source).not.toMatch(/^(export )?let |^(export )?const \w+ = new (Map|Set)/m);
});

test('the only URL paths are those of endpoints.ts and of the test of a credential', () => {
	const paths = /['"`]\/(me|forms|responses|hooks)\b/;
	const others = sources.filter((path) => !/(endpoints|credentialTest)\.ts$/.test(path));
	const wrong = others
		.flatMap((path) => readFileSync(join(root, path), 'utf8').split('\n'))
		.filter((line) => paths.test(line) && !/request\.path === /.test(line));
	expect(wrong).toEqual([]);
});

test.each([
	[
		'nodes and credentials',
		'tests or the playground',
		/^(nodes|credentials)\//,
		/^(test|playground)\//,
	],
	['the playground', 'the nodes', /^playground\//, /^(nodes|credentials)\//],
	[
		'the end-to-end tests',
		'the nodes',
		/^test\/(e2e|live|promise|queue|soak)\//,
		/^(nodes|credentials)\//,
	],
])('%s never import %s', (_, __, from, to) => {
	const files = filesIn('.', /\.(ts|mts|mjs|js)$/).filter((path) => from.test(path));
	expect(files.length).toBeGreaterThan(0);
	const wrong = files.flatMap((path) =>
		importsOf(path)
			.map(({ module }) => normalize(join(dirname(path), module)).replaceAll('\\', '/'))
			.filter((target) => to.test(target))
			.map((target) => `${path} > ${target}`),
	);
	expect(wrong).toEqual([]);
});
