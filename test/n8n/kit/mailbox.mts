import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../playground/ports.mts';
import { startMailServer } from '../../../playground/start/mail.mts';

interface Mail {
	to: Array<{ address: string }>;
	subject: string;
	text: string;
}

/** A mail server of its own. */
export async function openMailbox() {
	const folder = await mkdtemp(join(tmpdir(), 'form-responses-mail-'));
	const { url, credential, stop } = await startMailServer(folder, await freePort());
	const mails = `${url}/api/email`;
	return {
		credential,
		/** In the order of their subjects. */
		async mails() {
			const all = (await (await fetch(mails)).json()) as Mail[];
			return all
				.map(({ to, subject, text }) => ({ to: to.map((one) => one.address), subject, text }))
				.sort((a, b) => a.subject.localeCompare(b.subject));
		},
		empty: async () => void (await fetch(`${mails}/all`, { method: 'DELETE' })),
		async close() {
			await stop();
			await rm(folder, { recursive: true });
		},
	};
}
