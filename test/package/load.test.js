const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { PackageDirectoryLoader } = require('n8n-core');
const { root } = require('./built');

/** The built package, loaded as n8n loads an installed one. */
const loader = new PackageDirectoryLoader(root);

beforeAll(async () => await loader.loadAll());

/** @type {(kind: 'nodes' | 'credentials', name: string) => any} */
const typeNamed = (kind, name) => loader.types[kind].find((type) => type.name === name);

test('n8n finds both nodes and both credentials, and nothing else', () => {
	expect(loader.packageName).toBe('n8n-nodes-form-responses');
	expect(Object.keys(loader.known.nodes).sort()).toEqual(['formResponses', 'formResponsesTrigger']);
	expect(Object.keys(loader.known.credentials).sort()).toEqual([
		'formResponsesApi',
		'formResponsesOAuth2Api',
	]);
});

test.each(['formResponses', 'formResponsesTrigger'])('%s has icons that are there', (name) => {
	const { iconUrl, icon } = typeNamed('nodes', name);
	expect(icon).toBeUndefined();
	for (const url of [iconUrl.light, iconUrl.dark]) {
		expect(existsSync(join(root, url.replace('icons/n8n-nodes-form-responses/', '')))).toBe(true);
	}
	expect(iconUrl.light).not.toBe(iconUrl.dark);
});

test.each(['formResponsesApi', 'formResponsesOAuth2Api'])('%s has icons that are there', (name) => {
	const { iconUrl } = typeNamed('credentials', name);
	for (const url of [iconUrl.light, iconUrl.dark]) {
		expect(existsSync(join(root, url.replace('icons/n8n-nodes-form-responses/', '')))).toBe(true);
	}
});

test.each(['formResponses', 'formResponsesTrigger'])(
	'%s is found by search and category',
	(name) => {
		const { codex } = typeNamed('nodes', name);
		expect(codex.categories).toEqual(expect.arrayContaining(['Communication']));
		expect(codex.alias).toEqual(expect.arrayContaining(['survey', 'submission']));
		expect(codex.resources.primaryDocumentation).toHaveLength(1);
	},
);

test('each credential is supported by both nodes, and n8n can test it', () => {
	for (const name of ['formResponsesApi', 'formResponsesOAuth2Api']) {
		expect(typeNamed('credentials', name).test).toBeDefined();
		const { supportedNodes = [] } = loader.known.credentials[name];
		expect([...supportedNodes].sort()).toEqual(['formResponses', 'formResponsesTrigger']);
	}
});

test('the trigger has all its entry points', () => {
	const type = /** @type {any} */ (loader.getNode('formResponsesTrigger').type);
	expect(Object.keys(type.webhookMethods.default)).toEqual(['checkExists', 'create', 'delete']);
	for (const entry of ['webhook', 'trigger', 'execute'])
		expect(type[entry]).toBeInstanceOf(Function);
});
