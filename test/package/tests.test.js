const { readFileSync } = require('node:fs');
const { dirname, join, matchesGlob, relative } = require('node:path');
const ts = require('typescript');
const { testMatch } = require('../../jest.config');
const { filesIn, manifest, root } = require('./built');

const stages = readFileSync(join(root, 'tools', 'runner', 'npm-test.mts'), 'utf8');
const commands = [...Object.values(manifest.scripts), stages].join('\n');
const inJest = [testMatch ?? []].flat().map((glob) => glob.replace('<rootDir>/', ''));

const isRunByJest = (/** @type {string} */ file) => inJest.some((glob) => matchesGlob(file, glob));

/** @type {(folder: string, text: string) => boolean} */
const isRunIn = (folder, text) =>
	new RegExp(`runner/folder\\.mts.* ${folder}(?![\\w/.])`).test(text);

test('every file of tests is run by some command', () => {
	const files = filesIn('.', /\.(test|spec)\.\w+$/);
	expect(files.length).toBeGreaterThan(50);
	const isRun = (/** @type {string} */ file) =>
		file.endsWith('.test.mts') ? isRunIn(dirname(file), commands) : isRunByJest(file);
	expect(files.filter((file) => !isRun(file))).toEqual([]);
});

test('every command of tests is run by .ci/run, but for restarts and earlier versions', () => {
	expect(readFileSync(join(root, '.ci', 'run'), 'utf8')).toContain(
		'tools/runner/npm-test.mts --n8n',
	);
	const folders = Object.entries(manifest.scripts)
		.filter(([name]) => /^test:(?!restarts|versions)/.test(name))
		.map(([, command]) => / (test\/n8n\/[\w-]+)/.exec(command)?.[1] ?? 'no folder');
	expect(folders.length).toBeGreaterThan(3);
	expect(folders.filter((folder) => !isRunIn(folder, stages))).toEqual([]);
});

/** @type {(project: string) => string[]} */
function filesOf(project) {
	const { config } = ts.readConfigFile(join(project, 'tsconfig.json'), ts.sys.readFile);
	return ts.parseJsonConfigFileContent(config, ts.sys, project).fileNames;
}

test('the types of every file of code are checked', () => {
	const projects = [...stages.matchAll(/tsc -p ([\w./]+)/g)].map(([, project = '']) => project);
	const checked = projects.flatMap((project) => filesOf(join(root, project)));
	const inRepository = new Set(checked.map((path) => relative(root, path).replaceAll('\\', '/')));
	const code = filesIn('.', /\.[cm]?[jt]sx?$/);
	expect(code.length).toBeGreaterThan(200);
	expect(code.filter((path) => !inRepository.has(path))).toEqual([]);
});
