// npm start: starts the form service, and n8n with the package. --watch rebuilds on changes.
import { installPackage } from './n8n/install-package.mts';
import { startN8n } from './n8n/instance.mts';
import type { RunningProcess } from './n8n/process.mts';
import { credentialDrafts, ensureCredentials, othersDrafts } from './start/credentials.mts';
import { ensureExamples } from './start/examples.mts';
import { startMailServer } from './start/mail.mts';
import { rebuildOnChange } from './start/rebuild.mts';
import { readForms, startServiceProcess } from './start/service.mts';
import { dataFolderName, readSettings } from './start/settings.mts';
import { summary } from './start/summary.mts';

const running: RunningProcess[] = [];
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const isWatching = process.argv.includes('--watch');
let stopping = false;

async function stopAll(exitCode: number) {
	if (stopping) process.exit(exitCode);
	stopping = true;
	await Promise.all(running.map(async (one) => await one.stop()));
	process.exit(exitCode);
}

function watch(name: string, one: RunningProcess) {
	running.push(one);
	void one.ended.then(() => {
		if (stopping) return;
		console.error(`${name} has ended unexpectedly; its log is in the folder ${dataFolderName}.`);
		void stopAll(1);
	});
}

async function start() {
	const { dataFolder, n8nFolder, ports } = await readSettings();
	console.log('Building the package if it has changed');
	installPackage(n8nFolder);

	console.log('Starting the form service, the mail server and n8n (up to a minute the first time)');
	// First, because n8n registers its triggers with the service when it starts.
	const service = await startServiceProcess(dataFolder, ports.SERVICE_PORT);
	watch('The form service', service);
	const mail = await startMailServer(dataFolder, ports.MAIL_PORT);
	watch('The mail server', mail);
	const n8n = await startN8n({
		userFolder: n8nFolder,
		port: ports.N8N_PORT,
		hasEditor: true,
		env: { N8N_DEV_RELOAD: String(isWatching), GENERIC_TIMEZONE: timeZone },
	});
	watch('n8n', n8n);

	console.log('Connecting the credentials and importing the examples');
	const client = await n8n.connect();
	const forms = await readForms(service.url);
	const drafts = [...othersDrafts(mail.credential), ...credentialDrafts(service.url)];
	const credentials = await ensureCredentials(client, drafts);
	const workflows = await ensureExamples(client, forms, credentials);
	const urls = { n8nUrl: n8n.url, serviceUrl: service.url, mailUrl: mail.url };
	console.log(summary({ ...urls, n8nLog: n8n.logPath, forms, workflows }));
	if (isWatching) {
		rebuildOnChange(n8nFolder);
		console.log('A change in nodes or credentials is built, and n8n loads it.');
	}
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
	process.on(signal, () => {
		console.log('\nStopping n8n, the mail server and the form service');
		void stopAll(0);
	});
}
// Writing to a closed terminal fails.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

start().catch((error: Error) => {
	if (stopping) return;
	console.error(`\n${error.message}`);
	void stopAll(1);
});
