import { defaultPorts, toPort } from '../ports.mts';
import { startService, type StartOptions } from './start.mts';

const { PORT = '', HOST, DATA, BASE_URL } = process.env;
const port = PORT || String(defaultPorts.SERVICE_PORT);

/** By the code of the error that Node throws. */
const advice: Record<string, string> = {
	EADDRINUSE: `Port ${port} is in use. Set PORT to a free port, or stop the program that uses it.`,
	ERR_SQLITE_ERROR: `The file ${DATA} cannot be used as a database. Set DATA to another path.`,
};

/** An empty variable counts as none. */
function readOptions(): StartOptions {
	if (BASE_URL && !/^https?:\/\/[^/]/.test(BASE_URL)) {
		throw new Error('BASE_URL must be an address such as http://localhost:5800');
	}
	return {
		port: toPort('PORT', port, 0),
		host: HOST || undefined,
		data: DATA || undefined,
		baseUrl: BASE_URL?.replace(/\/+$/, '') || undefined,
	};
}

try {
	const service = await startService(readOptions());
	for (const signal of ['SIGTERM', 'SIGINT']) {
		process.once(signal, () => void service.close().then(() => process.exit(0)));
	}
	// Comes last: a program that reads this line may send a signal at once.
	console.log(`Form service ready at ${service.url}`);
} catch (error) {
	const { code = '', message } = error as NodeJS.ErrnoException;
	console.error(advice[code] ?? message);
	process.exit(1);
}
