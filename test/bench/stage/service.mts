import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { formServiceAt } from '../../live/service.mts';
import type { Envelope, FormService } from '../../live/service.mts';

const main = resolve(import.meta.dirname, '../../../playground/service/main.mts');

const LABELS = ['Name', 'Email', 'Stars', 'Comment', 'Newsletter'];

/** A form service in a process of its own, so that it takes no time of n8n's; without checks of its own answers. */
export async function startServiceProcess(): Promise<FormService> {
	const child = spawn(process.execPath, [main], {
		env: { ...process.env, PORT: '0', DATA: ':memory:', VALIDATE_RESPONSES: 'false' },
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	process.on('exit', () => child.kill('SIGKILL'));
	const ended = once(child, 'exit');
	for await (const line of createInterface(child.stdout)) {
		const url = /ready at (\S+)/.exec(line)?.[1];
		if (url === undefined) continue;
		child.stdout.resume();
		return formServiceAt(url, async () => void (child.kill('SIGTERM'), await ended));
	}
	throw new Error('The form service did not start.');
}

/** Responses with an answer for each label, to a form of their own, delivered to nobody. */
export async function addResponses(
	service: FormService,
	count: number,
	labels = LABELS,
): Promise<Envelope[]> {
	const fields = labels.map((label) => ({ label }));
	const [form] = await service.addForms({ title: 'Feedback', fields });
	const hiddenFields = { source: 'newsletter' };
	return await service.addResponses(form.id, { count, deliver: false, hiddenFields });
}
