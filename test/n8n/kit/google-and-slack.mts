import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateCACertificate, getLocal, type Mockttp } from 'mockttp';
import type { N8nClient } from '../../../playground/n8n/client.mts';

export const DOCUMENT = 'sample-document';
const SHEETS = `https://sheets.googleapis.com/v4/spreadsheets/${DOCUMENT}`;
const SHEET = { sheetId: 0, title: 'Sheet1' };

interface Cells {
	/** From its first cell on, such as `Sheet1!B2`, or its first row, such as `Sheet1!2:2`. */
	range: string;
	values: string[][];
}

interface Message {
	channel: string;
	text: string;
}

/** Google calculates formulas unless the input is `RAW`. */
function write(rows: string[][], { range, values }: Cells, input: string | null) {
	const [, letter, number] = /!([A-Z]?)(\d+)/.exec(range)!;
	const column = letter ? letter.charCodeAt(0) - 'A'.charCodeAt(0) : 0;
	for (const [down, cells] of values.entries()) {
		const row = (rows[Number(number) - 1 + down] ??= []);
		for (const [right, value] of cells.entries()) {
			row[column + right] = input === 'RAW' ? value : value.replace(/^=.*/, 'calculated');
		}
	}
}

/** One document with one sheet. */
async function standInForSheets(proxy: Mockttp) {
	const rows: string[][] = [];
	const token = { access_token: 'of-google', token_type: 'Bearer', expires_in: 3_600 };
	const headers = { authorization: 'Bearer of-google' };
	await proxy.forPost('https://oauth2.googleapis.com/token').thenJson(200, token);
	const document = { sheets: [{ properties: SHEET }] };
	await proxy.forGet(SHEETS).withHeaders(headers).thenJson(200, document);
	await proxy
		.forGet(`${SHEETS}/values/'Sheet1'`)
		.withHeaders(headers)
		.thenCallback(() => ({ json: { values: rows } }));
	await proxy
		.forPut(new RegExp(`^${SHEETS}/values/`))
		.withHeaders(headers)
		.thenCallback(async ({ url, body }) => {
			const input = new URL(url).searchParams.get('valueInputOption');
			write(rows, (await body.getJson()) as Cells, input);
			return { json: {} };
		});
	await proxy
		.forPost(`${SHEETS}/values:batchUpdate`)
		.withHeaders(headers)
		.thenCallback(async ({ body }) => {
			const update = (await body.getJson()) as { data: Cells[]; valueInputOption: string };
			for (const cells of update.data) write(rows, cells, update.valueInputOption);
			return { json: {} };
		});
	// Adds an empty row.
	await proxy.forPost(`${SHEETS}:batchUpdate`).withHeaders(headers).thenJson(200, {});
	return rows;
}

async function standInForSlack(proxy: Mockttp) {
	const messages: Message[] = [];
	await proxy
		.forPost('https://slack.com/api/chat.postMessage')
		.withHeaders({ authorization: 'Bearer of-slack' })
		.thenCallback(async ({ body }) => {
			messages.push((await body.getJson()) as Message);
			return { json: { ok: true, ts: '1' } };
		});
	return messages;
}

const connectSlack = async ({ createCredential }: N8nClient) =>
	await createCredential({ name: 'Slack', type: 'slackApi', data: { accessToken: 'of-slack' } });

/** As a person does who allows n8n on Google's page. */
async function connectGoogle({ createCredential, session }: N8nClient) {
	const data = { clientId: 'n8n', clientSecret: 'secret' };
	const draft = { name: 'Google', type: 'googleSheetsOAuth2Api', data };
	const credential = await createCredential(draft);
	const page = await session.get<string>(`/oauth2-credential/auth?id=${credential.id}`);
	const { searchParams } = new URL(page);
	const answer = new URLSearchParams({ code: 'allowed', state: searchParams.get('state')! });
	await session.open(`${searchParams.get('redirect_uri')}?${answer}`);
	return credential;
}

/** Stands in for Google Sheets and Slack, for an n8n that was started with `env`. */
export async function startCloud() {
	const authority = await generateCACertificate();
	const folder = await mkdtemp(join(tmpdir(), 'form-responses-cloud-'));
	const certificate = join(folder, 'authority.pem');
	await writeFile(certificate, authority.cert);
	const proxy = getLocal({ https: authority });
	await proxy.start({ startPort: 20_000, endPort: 30_000 });
	return {
		env: {
			HTTPS_PROXY: `http://localhost:${proxy.port}`,
			NO_PROXY: 'localhost,127.0.0.1',
			NODE_EXTRA_CA_CERTS: certificate,
		},
		connectGoogle,
		connectSlack,
		rows: await standInForSheets(proxy),
		messages: await standInForSlack(proxy),
		async close() {
			await proxy.stop();
			await rm(folder, { recursive: true });
		},
	};
}
