import { join, resolve } from 'node:path';
import { nodeCommand, startProcess } from '../n8n/process.mts';
import { freePort, host, isListening } from '../ports.mts';

const maildev = resolve(import.meta.dirname, '../mail/node_modules/maildev/dist/bin/maildev.js');

/** Starts a mail server that keeps what it is sent, and shows it on a page. */
export async function startMailServer(dataFolder: string, port: number) {
	const smtpPort = await freePort();
	const smtp = ['--ip', host, '--smtp', String(smtpPort)];
	const page = ['--web-ip', host, '--web', String(port)];
	const store = ['--mail-directory', join(dataFolder, 'mail')];
	const running = await startProcess({
		name: 'The mail server',
		command: nodeCommand(process.execPath, maildev, ...smtp, ...page, ...store),
		env: process.env,
		logPath: join(dataFolder, 'mail.log'),
		isReady: async () => (await isListening(port)) && (await isListening(smtpPort)),
	});
	return {
		...running,
		url: `http://${host}:${port}`,
		/** What n8n's SMTP credential holds to reach it. */
		credential: { host, port: smtpPort, secure: false, disableStartTls: true },
	};
}
