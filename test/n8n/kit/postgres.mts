import { execFile, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, isListening } from '../../../playground/ports.mts';
import { startProcess } from '../../../playground/n8n/process.mts';
import { program } from './programs.mts';

export const postgresUser = 'n8n';
/** Made by initdb. */
export const postgresDatabase = 'postgres';

/** PostgreSQL refuses to run as root; its Debian package comes with a user for it. */
function unprivileged(): { uid?: number; gid?: number } {
	if (process.getuid?.() !== 0) return {};
	for (const user of ['postgres', 'nobody']) {
		const { stdout } = spawnSync('id', [user], { encoding: 'utf8' });
		const [, uid, gid] = /^uid=(\d+)\S* gid=(\d+)/.exec(stdout) ?? [];
		if (uid !== undefined) return { uid: Number(uid), gid: Number(gid) };
	}
	throw new Error('PostgreSQL does not run as root: run the tests as another user.');
}

/** A PostgreSQL of its own with an empty database. */
export async function startPostgres(folder: string) {
	mkdirSync(folder, { recursive: true });
	const user = unprivileged();
	if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
	const data = join(folder, 'data');
	const made = spawnSync(
		program('initdb'),
		['-D', data, '-U', postgresUser, '-E', 'UTF8', '--locale=C', '--auth=trust', '--no-sync'],
		{ cwd: folder, encoding: 'utf8', ...user },
	);
	if (made.status !== 0) throw new Error(`initdb failed:\n${made.stdout}${made.stderr}`);

	const port = await freePort();
	const settings = [
		`port=${port}`,
		'listen_addresses=127.0.0.1',
		`unix_socket_directories=${folder}`,
		'fsync=off',
	];
	const server = await startProcess({
		name: 'PostgreSQL',
		command: [program('postgres'), '-D', data, ...settings.flatMap((setting) => ['-c', setting])],
		cwd: folder,
		...user,
		logPath: join(folder, 'postgres.log'),
		isReady: async () => await isListening(port),
		// Fast and immediate shutdown in PostgreSQL's own terms.
		stopSignal: 'SIGINT',
		killSignal: 'SIGQUIT',
	});

	const address = { PGHOST: '127.0.0.1', PGPORT: String(port), PGUSER: postgresUser };
	const env = { ...process.env, ...address };
	const client = async (name: string, ...args: string[]) =>
		await promisify(execFile)(program(name), args, { env });

	return {
		port,
		...server,

		/** Copies the database, while it is in use, into a new one. */
		async copyTo(database: string) {
			const dump = join(folder, `${database}.dump`);
			await client('pg_dump', '--format=custom', `--file=${dump}`, postgresDatabase);
			await client('createdb', database);
			await client('pg_restore', `--dbname=${database}`, dump);
		},
	};
}
