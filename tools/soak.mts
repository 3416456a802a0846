// npm run soak -- --seeds 10: seeds from 1, or from --first, to 10, each in all deployments at once; the table, of these
// seeds only, is written after each.
import { parseArgs } from 'node:util';
import { missingPrograms } from '../test/n8n/kit/programs.mts';
import './end-on-signal.mts';
import { markdownTable, writeDocumentPart } from './document.mts';
import { deployments } from '../test/n8n/soak/deployment.mts';
import { soak } from '../test/n8n/soak/soak.mts';

const RESPONSES = 1_000;

const number = { type: 'string', default: '1' } as const;
const { values } = parseArgs({ options: { first: number, seeds: number } });
const [first, last] = [Number(values.first), Number(values.seeds)];
if (!(first <= last)) throw new Error(`No seeds go from ${values.first} to ${values.seeds}.`);
const missing = missingPrograms();
if (missing) throw new Error(missing);

type Result = Awaited<ReturnType<typeof soak>>;
const results = deployments.map((deployment) => ({ deployment, ofSeeds: [] as Result[] }));

/** The columns of the table, and what the result of a seed adds to each. */
const columns: Record<string, (result: Result) => number> = {
	seeds: () => 1,
	responses: ({ completed }) => completed,
	faults: ({ faults }) => faults,
	lost: ({ lost }) => lost.length,
	'lost by a Webhook node': ({ lostByWebhook }) => lostByWebhook,
	twice: ({ twice }) => twice.length,
	'killed as it ended': ({ unrecorded }) => unrecorded,
	minutes: ({ seconds }) => seconds / 60,
};

function rowOf({ deployment, ofSeeds }: (typeof results)[number]): string[] {
	const sums = Object.values(columns).map((of) =>
		ofSeeds.reduce((sum, result) => sum + of(result), 0),
	);
	return [deployment, ...sums.map((sum) => Math.round(sum).toLocaleString('en'))];
}

async function soakEach({ deployment, ofSeeds }: (typeof results)[number]) {
	const show = (progress: string) => console.log(`${deployment}: ${progress}`);
	for (let seed = first; seed <= last; seed++) {
		const result = await soak({ deployment, seed, responses: RESPONSES, show });
		show(JSON.stringify(result));
		if (!result.isGood) process.exitCode = 1;
		ofSeeds.push(result);
		const table = markdownTable(['deployment', ...Object.keys(columns)], results.map(rowOf));
		writeDocumentPart('docs/contributing/trigger.md', 'soak', table);
	}
}

await Promise.all(results.map(soakEach));
console.log('Written: docs/contributing/trigger.md');
