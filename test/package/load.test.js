const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { PackageDirectoryLoader } = require('n8n-core');
const { manifest, root } = require('./built');

/** The built package, loaded as n8n loads an installed one. */
const loader = new PackageDirectoryLoader(root);

beforeAll(async () => await loader.loadAll());

const NODES = ['formResponses', 'formResponsesTrigger'];
const CREDENTIALS = ['formResponsesApi', 'formResponsesOAuth2Api'];

/** @type {(name: string) => any} */
const typeNamed = (name) =>
	[...loader.types.nodes, ...loader.types.credentials].find((type) => type.name === name);

test('n8n finds both nodes and both credentials, and nothing else', () => {
	expect(Object.keys(loader.known.nodes).sort()).toEqual(NODES);
	expect(Object.keys(loader.known.credentials).sort()).toEqual(CREDENTIALS);
});

test.each([...NODES, ...CREDENTIALS])('%s has a light and a dark icon', (name) => {
	const { light, dark } = typeNamed(name).iconUrl;
	expect(light).not.toBe(dark);
	for (const url of [light, dark]) {
		expect(existsSync(join(root, url.replace(`icons/${manifest.name}/`, '')))).toBe(true);
	}
});

test.each(NODES)('%s is found by search and category', (name) => {
	const { codex } = typeNamed(name);
	expect(codex.categories).toContain('Communication');
	expect(codex.alias).toEqual(expect.arrayContaining(['survey', 'submission']));
	expect(codex.resources.primaryDocumentation).toHaveLength(1);
});

test.each(CREDENTIALS)('%s can be tested, and used in both nodes', (name) => {
	expect(typeNamed(name).test).toBeDefined();
	expect([...(loader.known.credentials[name]?.supportedNodes ?? [])].sort()).toEqual(NODES);
});

test('the trigger has all its entry points', () => {
	const type = /** @type {any} */ (loader.getNode('formResponsesTrigger').type);
	expect(Object.keys(type.webhookMethods.default)).toEqual(['checkExists', 'create', 'delete']);
	for (const entry of ['webhook', 'trigger', 'execute'])
		expect(type[entry]).toBeInstanceOf(Function);
});
