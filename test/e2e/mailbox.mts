import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

export interface Mail {
	to: string[];
	subject: string;
	text: string;
}

/** A mail server that keeps what it is given. */
export async function openMailbox() {
	const mails: Mail[] = [];
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['STARTTLS'],
		onData(stream, session, done) {
			simpleParser(stream).then(({ subject = '', text = '' }) => {
				const to = session.envelope.rcptTo.map(({ address }) => address);
				mails.push({ to, subject, text: text.trim() });
				done();
			}, done);
		},
	});
	server.listen(0, '127.0.0.1');
	await once(server.server, 'listening');
	const { port } = server.server.address() as AddressInfo;

	return {
		mails,
		/** What n8n's SMTP credential holds to reach it. */
		credential: { host: '127.0.0.1', port, secure: false, disableStartTls: true },
		close: async () => await new Promise<void>((resolve) => server.close(() => resolve())),
	};
}

export type Mailbox = Awaited<ReturnType<typeof openMailbox>>;
