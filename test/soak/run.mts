// npm run soak -- [--seeds 10 | --seed 7] [--deployments publication,queue] [--together] [--responses 1000]
import { parseArgs } from 'node:util';
import { missingPrograms } from '../live/cluster/programs.mts';
import { deployments } from './deployment.mts';
import type { DeploymentName } from './deployment.mts';
import { tableOf, writeDocument } from './document.mts';
import { isGood, soak } from './soak.mts';
import type { Result } from './soak.mts';

const { values } = parseArgs({
	options: {
		/** Seeds from 1 to this; the table is written. */
		seeds: { type: 'string', default: '1' },
		/** This one again; nothing is written. */
		seed: { type: 'string' },
		deployments: { type: 'string', default: deployments.join(',') },
		/** All deployments at the same time. */
		together: { type: 'boolean', default: false },
		responses: { type: 'string', default: '1000' },
	},
});

function stop(message: string): never {
	console.error(message);
	process.exit(1);
}

function wholeNumber(name: 'seeds' | 'seed' | 'responses'): number {
	const number = Number(values[name]);
	return Number.isInteger(number) && number > 0 ? number : stop(`--${name} is a whole number`);
}

const isDeployment = (name: string): name is DeploymentName =>
	(deployments as readonly string[]).includes(name);

const chosen = values.deployments.split(',').map((name) => {
	return isDeployment(name) ? name : stop(`No such deployment: ${name}. ${deployments.join(', ')}`);
});
const missing = chosen.includes('queue') ? missingPrograms() : undefined;
if (missing) stop(missing);

// n8n and the service are ended when the process exits.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const responses = wholeNumber('responses');
const seeds =
	values.seed === undefined
		? Array.from({ length: wholeNumber('seeds') }, (_, n) => n + 1)
		: [wholeNumber('seed')];

const results: Result[] = [];

async function soakEach(deployment: DeploymentName) {
	const show = (progress: string) => console.log(`${deployment}: ${progress}`);
	for (const seed of seeds) {
		show(`seed ${seed}`);
		const result = await soak({ deployment, seed, responses, show });
		results.push(result);
		if (!isGood(result)) {
			const { lost, twice, hooks, problem } = result;
			show(JSON.stringify({ lost, twice, hooks, problem }, null, 2));
		}
		console.log(tableOf([result]));
	}
}

if (values.together) await Promise.all(chosen.map(soakEach));
else for (const deployment of chosen) await soakEach(deployment);

const table = chosen.flatMap((name) => results.filter(({ deployment }) => deployment === name));
console.log(`\n${tableOf(table)}`);
if (values.seed === undefined) {
	writeDocument(table);
	console.log('Written: docs/reliability.md');
}
process.exitCode = results.every(isGood) ? 0 : 1;
