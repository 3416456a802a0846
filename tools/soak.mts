// npm run soak -- --seeds 10: seeds from 1, or from --first, to 10, each in all deployments at once; the table, of these
// seeds only, is written after each.
import { parseArgs } from 'node:util';
import { missingPrograms } from '../test/n8n/kit/programs.mts';
import { writeDocumentPart } from './document/document-part.mts';
import { markdownTable } from './document/markdown-table.mts';
import { deployments } from '../test/n8n/soak/deployment.mts';
import { soak } from '../test/n8n/soak/soak.mts';

const RESPONSES = 1_000;

const number = { type: 'string', default: '1' } as const;
const { values } = parseArgs({ options: { first: number, seeds: number } });
const [first, last] = [Number(values.first), Number(values.seeds)];
if (!(first <= last)) throw new Error(`No seeds go from ${values.first} to ${values.seeds}.`);
const missing = missingPrograms();
if (missing) throw new Error(missing);

// n8n and the service are ended when the process exits.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const HEAD =
	'deployment,seeds,responses,faults,lost,lost by a Webhook node,twice,killed as it ended,minutes'.split(
		',',
	);

type Result = Awaited<ReturnType<typeof soak>>;
const results = deployments.map((deployment) => ({ deployment, ofSeeds: [] as Result[] }));

function rowOf({ deployment, ofSeeds }: (typeof results)[number]): string[] {
	const sum = (of: (result: Result) => number) =>
		ofSeeds.reduce((total, result) => total + of(result), 0);
	const numbers = [
		ofSeeds.length,
		sum(({ completed }) => completed),
		sum(({ faults }) => faults),
		sum(({ lost }) => lost.length),
		sum(({ lostByWebhook }) => lostByWebhook),
		sum(({ twice }) => twice.length),
		sum(({ unrecorded }) => unrecorded),
		Math.round(sum(({ seconds }) => seconds) / 60),
	];
	return [deployment, ...numbers.map((number) => number.toLocaleString('en'))];
}

async function soakEach({ deployment, ofSeeds }: (typeof results)[number]) {
	const show = (progress: string) => console.log(`${deployment}: ${progress}`);
	for (let seed = first; seed <= last; seed++) {
		const result = await soak({ deployment, seed, responses: RESPONSES, show });
		show(JSON.stringify(result));
		if (!result.isGood) process.exitCode = 1;
		ofSeeds.push(result);
		const table = markdownTable(HEAD, results.map(rowOf));
		writeDocumentPart('docs/contributing/trigger.md', 'soak', table);
	}
}

await Promise.all(results.map(soakEach));
console.log('Written: docs/contributing/trigger.md');
