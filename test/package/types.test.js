const { execFileSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
const { join, relative } = require('node:path');
const { filesIn, root } = require('./built');

const commands = readFileSync(join(root, 'test', 'run.mts'), 'utf8');
const projects = [...commands.matchAll(/'tsc -p ([\w./]+)'/g)].map(([, folder]) => folder);

/** @param {string} project */
function filesOf(project) {
	const compiler = require.resolve('typescript/bin/tsc');
	const args = [compiler, '-p', project, '--listFilesOnly'];
	const listed = execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
	return listed.split('\n').map((path) => relative(root, path).replaceAll('\\', '/'));
}

test('the types of every file of code are checked', () => {
	const checked = new Set(projects.flatMap(filesOf));
	const code = filesIn('.', /\.[cm]?[jt]sx?$/).filter((path) => !path.startsWith('dist/'));
	expect(code.length).toBeGreaterThan(300);
	expect(code.filter((path) => !checked.has(path))).toEqual([]);
}, 60_000);
