import { readConfiguration } from './configuration.mts';
import { startService } from './start.mts';

type SystemError = Error & { code?: string };

const { PORT = '5800', DATA } = process.env;

const advice: Record<string, string> = {
	EADDRINUSE: `Port ${PORT} is in use. Set PORT to a free port, or stop the program that uses it.`,
	ERR_SQLITE_ERROR: `The file ${DATA} cannot be used as a database. Set DATA to another path.`,
};

try {
	const service = await startService(readConfiguration(process.env));
	for (const signal of ['SIGTERM', 'SIGINT']) {
		process.once(signal, () => void service.close().then(() => process.exit(0)));
	}
	// Last: whoever reads it may send a signal at once.
	console.log(`Form service ready at ${service.url}`);
} catch (error) {
	const { code = '', message } = error as SystemError;
	console.error(advice[code] ?? message);
	process.exit(1);
}
