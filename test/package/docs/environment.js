const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { root } = require('../built');
const { at, find } = require('./pages');
const { files } = require('./tracked');

/** @typedef {import('./pages').Page} Page */

/** What others read, and where it is described. */
const OF_OTHERS = {
	// https://docs.n8n.io/hosting/configuration/environment-variables/
	n8n: [
		'DB_TYPE',
		'EXECUTIONS_DATA_MAX_AGE',
		'EXECUTIONS_DATA_PRUNE',
		'EXECUTIONS_DATA_SAVE_ON_ERROR',
		'EXECUTIONS_MODE',
		'N8N_COMMUNITY_PACKAGES_ENABLED',
		'N8N_EDITOR_BASE_URL',
		'N8N_ENCRYPTION_KEY',
		'N8N_LOG_LEVEL',
		'N8N_PROXY_HOPS',
		'N8N_REINSTALL_MISSING_PACKAGES',
		'N8N_SSRF_ALLOWED_HOSTNAMES',
		'N8N_SSRF_PROTECTION_ENABLED',
		'N8N_UNVERIFIED_PACKAGES_ENABLED',
		'N8N_USER_FOLDER',
		'N8N_USE_WORKFLOW_PUBLICATION_SERVICE',
		'N8N_WEBHOOK_URL',
		'OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS',
		'WEBHOOK_URL',
	],
	// n8n, backend-network: proxy-resolution
	proxy: ['HTTP_PROXY', 'HTTPS_PROXY'],
	// https://nodejs.org/api/cli.html#environment-variables
	node: ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS'],
};

const others = new Set(Object.values(OF_OTHERS).flat());

const code = [...files]
	.filter((path) => /^(playground|scripts|test)\/.*\.[cm]?[jt]s$/.test(path))
	.filter((path) => !/^test\/(nodes|credentials|package)\//.test(path))
	.map((path) => readFileSync(join(root, path), 'utf8'))
	.join('\n');

/** As a property, taken apart, or asked for by its name. */
const isRead = (/** @type {string} */ name) =>
	new RegExp(`(env(ironment)?\\.|\\{ |['"])${name}\\b`).test(code);

/** @type {(pages: Page[]) => string[]} */
const faultsOfVariables = (pages) =>
	pages.flatMap((page) =>
		find(page, /(?<![\w/#.-])[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+(?!\w|\.\w)/).flatMap(
			({ match, line }) =>
				others.has(match[0]) || isRead(match[0])
					? []
					: [
							at(
								page,
								line,
								`${match[0]}: nothing reads it, and test/package/docs/environment.js does not list it`,
							),
						],
		),
	);

module.exports = { faultsOfVariables };
