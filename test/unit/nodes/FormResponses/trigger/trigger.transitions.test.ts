import nock from 'nock';
import type { WorkflowActivateMode } from 'n8n-workflow';
import { startClock, type Clock } from '../../../kit/clock';
import { credentialValues } from '../../../kit/credentials';
import { activate, callHook, deactivate } from '../../../kit/hook';
import { keepLogs, warningsIn } from '../../../kit/logs';
import { queryOf } from '../../../kit/webhook';
import type { Stored } from '../../../kit/workflow';
import { aHook, anError, idOf, OTHER_FORM_ID, responsesOf } from '../../../kit/samples';
import {
	fakeService,
	fault,
	ok,
	reply,
	type FakeService,
	type Reply,
} from '../../../kit/formService';
import {
	aWorkflow,
	inAnotherProcess,
	stateIn,
	targetsOf,
	trigger,
	whileTimePasses,
} from './trigger.fixture';

/**
 * What becomes of the trigger's stored state, in which state and by which event.
 *
 * state     `just` stopped a second ago, `short` 20 seconds, `long` an hour; While Inactive is Skip, or as named.
 *           `refused`: short, then published in vain an hour ago.
 *           `ended`: unpublished by a person afterwards.
 *           `left`: its hook could not be removed. `lost`: the answer to its only POST was.
 *           `Existing`: responses that are there run at the first publication.
 * event     `publish` and `restart` are n8n's `checkExists` and `create`; a restart is in a new process of n8n, as is
 *           `import`, which publishes what another n8n stored, `go on`, with a publication that was cut off, and `lead`.
 *           `update` is how n8n's newer engine publishes; `again` is how it publishes what is published: after `delete`.
 *           At a `clean-up`, `create` fails, and n8n calls `delete`, which is told from unpublishing by nothing.
 *           What follows is what is different: the service's answer to POST /hooks or to DELETE, or
 *           what has changed since. A `copy` is this n8n's database, started at another address.
 *           `pasted`: another node has the name now.
 * becomes   the status, the hook that is stored, and from when on responses count:
 *           `before` as in the state before, `now` from the event on, `day` from a day before, `all`; `guess` if another
 *           n8n may have run them.
 * requests  to the service, until 11 seconds later: POST makes hook 1, 2 …; `DELETE 1` removes hook 1; `GET` reads the responses.
 * answer    what n8n gets, `exists` from `checkExists`, and whether the log has a warning.
 */
const TABLE = `
state             | event                      | becomes                     | requests             | answer
none              | publish                    | subscribed hook 1 now       | POST                 | true
none              | publish: 503               | none                        | POST                 | error
none              | publish: with an API key   | polling now                 | GET                  | true
none              | publish: key revoked       | none                        | GET                  | error
none, Existing    | publish                    | subscribed hook 1 all       | POST                 | true
none, Existing    | publish: with an API key   | polling all                 |                      | true
lost, Existing    | publish                    | subscribed hook 1 all       | POST                 | true
none              | restart                    | subscribed hook 1 day guess | POST                 | true
none              | restart: refused           | subscribed day guess        | POST                 | true, warns
none              | restart: at localhost      | subscribed day guess        |                      | true, warns
none              | restart: key revoked       | polling day guess           |                      | true
none              | restart: no credential     | subscribed day guess        |                      | true, warns
none              | restart: with an API key   | polling day guess           |                      | true
none              | go on                      | subscribed hook 1 now       | POST                 | true
none              | import                     | subscribed hook 1 now       | POST                 | true
subscribed        | publish                    | subscribed hook 2 before    | POST DELETE 1        | true
subscribed        | restart                    | subscribed hook 1 before    |                      | exists
long              | restart: 503               | subscribed before           | POST DELETE 1        | true, warns
long              | restart: lost reply        | subscribed hook 2 before    | POST DELETE 1        | true
long              | restart: lost replies      | subscribed before           | POST DELETE 1        | true, warns
long              | restart: DELETE fails      | subscribed hook 2 before    | POST DELETE 1        | true, warns
long              | restart: allowance used up | subscribed hook 2 before    | POST DELETE 1 POST … | true
long              | restart: allowance is full | subscribed before           | POST DELETE 1 POST DELETE 1 | true, warns
long              | restart: bad request       | subscribed before           | POST DELETE 1        | true, warns
subscribed        | go on                      | subscribed hook 1 before    |                      | exists
subscribed        | import                     | subscribed hook 2 now       | POST DELETE 1        | true
subscribed        | import: 503                | subscribed hook 1 before    | POST                 | error
subscribed        | copy                       | subscribed hook 2 before guess | POST                 | true, warns
subscribed        | copy: allowance used up    | subscribed hook 1 before    | POST                 | true, warns
subscribed        | restart: no credential     | subscribed hook 1 before    |                      | exists
subscribed        | restart: no form           | subscribed hook 1 before    |                      | true, warns
subscribed        | restart: another form, 503 | subscribed day guess        | POST DELETE 1        | true, warns
subscribed        | lead                       | subscribed hook 1 before    |                      | exists
subscribed        | go on: pasted, refused     | subscribed hook 1 before    | POST                 | error
subscribed        | restart: at localhost      | subscribed hook 1 before    |                      | true, warns
subscribed        | restart: no scheme         | subscribed hook 1 before    |                      | true, warns
subscribed        | publish: another form      | subscribed hook 2 now       | POST DELETE 1        | true
subscribed        | publish: another form, 503 | subscribed hook 1 before    | POST                 | error
subscribed        | publish: another service   | subscribed hook 2 before    | POST DELETE 1        | true
subscribed        | again                      | subscribed hook 1 before    | GET                  | true
subscribed        | again: list 503            | subscribed hook 1 before    | GET                  | true, warns
subscribed        | again: form is gone        | stopped hook 1 before       | GET DELETE 1         | error
subscribed        | again: no credential       | stopped hook 1 before       | DELETE 1             | error
subscribed        | again: another form        | subscribed hook 2 now       | POST DELETE 1        | true
subscribed        | again: another form, 503   | stopped hook 1 before       | POST DELETE 1        | error
subscribed        | again: another service     | subscribed hook 2 before    | DELETE 1 POST        | true
subscribed        | again: another credential  | subscribed hook 2 before    | POST DELETE 1        | true
subscribed        | again: another credential, 503 | subscribed hook 1 before    | POST                 | true, warns
subscribed        | again: with an API key     | polling before              | DELETE 1             | true
just              | publish                    | subscribed hook 1 before    | GET                  | true
just              | publish: another form      | subscribed hook 2 now       | POST DELETE 1        | true
just              | go on                      | subscribed hook 2 before    | POST DELETE 1        | true
just              | restart                    | subscribed hook 2 before    | POST DELETE 1        | true
just              | publish: at start          | subscribed hook 1 before    |                      | true
short             | publish                    | subscribed hook 2 before    | POST                 | true
short             | publish: 503               | subscribed before           | POST                 | true, warns
short             | publish: lost replies      | subscribed before           | POST                 | true, warns
short             | publish: refused           | stopped before              | POST                 | error
short             | publish: no credential     | stopped before              |                      | error
short             | restart: refused           | subscribed before           | POST DELETE 1        | true, warns
short             | restart: no credential     | subscribed before           |                      | true, warns
short             | publish: another form, 503 | stopped before              | POST                 | error
short             | publish: another form      | subscribed hook 2 now       | POST                 | true
short             | update: refused            | stopped before              | POST                 | error
refused           | publish                    | subscribed hook 2 before    | POST                 | true
refused           | publish: 503               | subscribed before           | POST                 | true, warns
refused           | publish: refused           | stopped before              | POST                 | error
refused, ended    | publish                    | subscribed hook 2 now       | POST                 | true
long, refused     | publish                    | subscribed hook 2 now       | POST                 | true
refused, month    | publish                    | subscribed hook 2 now       | POST                 | true
long              | publish                    | subscribed hook 2 now       | POST                 | true
long              | publish: existing wanted   | subscribed hook 2 now       | POST                 | true
long              | publish: 503               | stopped hook 1 before       | POST                 | error
long              | restart                    | subscribed hook 2 before    | POST DELETE 1        | true
long              | publish: again at start    | subscribed hook 2 before    | POST                 | true
long              | go on                      | subscribed hook 2 before    | POST DELETE 1        | true
long              | update                     | subscribed hook 2 now       | POST                 | true
long, Process     | update                     | subscribed hook 2 before    | POST                 | true
long              | import                     | subscribed hook 2 now       | POST DELETE 1        | true
month             | restart                    | subscribed hook 2 day       | POST DELETE 1        | true
month             | restart: 503               | subscribed day              | POST DELETE 1        | true, warns
month             | go on                      | subscribed hook 2 day       | POST DELETE 1        | true
month, Process    | restart                    | subscribed hook 2 before    | POST DELETE 1        | true
long, Process     | publish                    | subscribed hook 2 before    | POST                 | true
long, Process     | publish: another form      | subscribed hook 2 now       | POST                 | true
short, left       | publish                    | subscribed hook 2 before    | POST DELETE 1        | true
short, left       | publish: 503               | subscribed before           | POST DELETE 1        | true, warns
short, left       | restart: 503               | subscribed before           | POST DELETE 1        | true, warns
polling           | publish: with an API key   | polling before              |                      | true
polling           | restart: with an API key   | polling before              |                      | exists
polling           | restart: no interval       | polling before              |                      | exists
polling           | publish                    | subscribed hook 1 before    | POST                 | true
polling short     | publish: with an API key   | polling before              |                      | true
polling short     | restart: no interval       | polling before              |                      | true, warns
polling long      | publish: with an API key   | polling now                 | GET                  | true
polling long      | publish: key revoked       | stopped before              | GET                  | error
none              | unpublish                  | none                        |                      | true
none              | clean-up: refused          | none                        | POST                 | true
subscribed        | unpublish                  | stopped hook 1 before       | DELETE 1             | true
subscribed        | unpublish: after a restart | stopped hook 1 before       | DELETE 1             | true
subscribed        | unpublish: another form    | stopped hook 1 before       | DELETE 1             | true
subscribed        | unpublish: DELETE fails    | stopped hook 1 before       | DELETE 1             | true, warns
subscribed        | unpublish: hook is gone    | stopped hook 1 before       | DELETE 1             | true
subscribed        | unpublish: another service | stopped hook 1 before       | DELETE 1             | true
subscribed        | unpublish: copy            | stopped hook 1 before       |                      | true, warns
subscribed        | clean-up: another form, 503 | stopped hook 1 before       | POST DELETE 1        | true
subscribed        | unpublish: no scheme       | stopped hook 1 before       |                      | true, warns
short             | unpublish                  | stopped before              |                      | true
short             | clean-up: refused          | stopped before              | POST                 | true
polling           | unpublish                  | stopped before              |                      | true
`;

const [, ...rows] = TABLE.trim()
	.split('\n')
	.map((row) => row.split('|').map((cell) => cell.trim()));

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MONTH = 30 * DAY;
const ELSEWHERE = 'https://forms.example.org/api/v1';
const LOCAL = 'http://localhost:5678/webhook';
const LIST = /^\/forms\/[^/]+\/responses$/;

const otherForm = { formId: { __rl: true, mode: 'list', value: OTHER_FORM_ID } };
const notFound = reply(404, anError('not_found', 'There is none'));
const revoked = reply(403, anError('insufficient_scope', 'Revoked'));

let clock: Clock;
let hooks: number;
let service: FakeService;
let other: FakeService;
let replies: { post: Reply[]; remove: Reply; list?: Reply };

/** Two services; both make and remove hooks, if nothing else was said. The first may lose an answer. */
function serve(...faults: Reply[]) {
	nock.cleanAll();
	service.on('POST', '/hooks', ...faults);
	for (const one of [service, other]) {
		one.always('POST', '/hooks', ({ body }) => {
			const planned = replies.post.shift();
			if (planned) return planned;
			const createdAt = new Date(clock.now()).toISOString();
			return reply(201, aHook({ ...(body as object), id: idOf(++hooks, 5), createdAt }));
		});
		one.always('DELETE', /^\/hooks\//, () => replies.remove);
		const newest = () => responsesOf(clock.elapsed() ? 3 : 2);
		one.always('GET', LIST, () => replies.list ?? ok({ data: newest() }));
	}
}

beforeEach(() => {
	clock = startClock({ standing: true });
	service = fakeService();
	other = fakeService(ELSEWHERE);
	replies = { post: [], remove: reply(204) };
	hooks = 0;
	serve();
});

async function publishInVain(stored: Stored, state: string) {
	replies.post = [notFound];
	await expect(activate(stored)).rejects.toThrow();
	await callHook(stored, 'delete');
	await clock.pass(2 * 60_000);
	if (/ended/.test(state)) await callHook(stored, 'delete');
	await clock.pass(/month/.test(state) ? MONTH : HOUR);
}

const PAUSES = { just: 1_000, month: MONTH, long: HOUR, short: 20_000, refused: 20_000 };

async function pause(stored: Stored, state: string) {
	const named = Object.entries(PAUSES).find(([name]) => state.includes(name));
	if (named === undefined) return await clock.pass(10_000);
	if (/left/.test(state)) replies.remove = revoked;
	await deactivate(stored);
	await clock.pass(named[1]);
	replies.remove = reply(204);
}

/** A workflow in the state of this name, by what really led there. */
async function inState(state: string): Promise<Stored> {
	const isPolling = /polling/.test(state);
	const whileInactive = /Process/.test(state) ? 'process' : 'skip';
	const stored = aWorkflow({
		options: { whileInactive, existing: /Existing/.test(state) },
		...(isPolling ? { authentication: 'apiKey' } : {}),
	});
	if (/none/.test(state)) return stored;
	if (/lost/.test(state)) {
		serve(fault('ECONNRESET'), fault('ECONNRESET'));
		await expect(activate(stored)).rejects.toThrow(/broke off/);
		return stored;
	}
	await activate(stored);
	await pause(stored, state);
	if (/refused/.test(state)) await publishInVain(stored, state);
	return stored;
}

function change(stored: Stored, how: string) {
	const parameters = (more: object) => Object.assign(stored.parameters, more);
	if (/503/.test(how)) replies.post = [reply(503)];
	if (/refused/.test(how)) replies.post = [notFound];
	const lostReply = fault('ECONNRESET');
	if (/lost reply/.test(how)) serve(lostReply);
	if (/lost replies/.test(how)) serve(lostReply, lostReply);
	const invalid = (message: string) => reply(400, anError('invalid_request', message));
	if (/allowance/.test(how)) replies.post = [invalid('Too many')];
	if (/is full/.test(how)) replies.post.push(invalid('Too many'));
	if (/bad request/.test(how)) replies.post = [invalid("The subscription's target URL is invalid")];
	if (/is gone/.test(how)) replies.remove = notFound;
	if (/DELETE fails/.test(how)) replies.remove = revoked;
	if (/key revoked/.test(how)) replies.list = revoked;
	const isPolling = /API key|key revoked|no interval/.test(how);
	parameters({ authentication: isPolling ? 'apiKey' : 'oAuth2' });
	if (/another form/.test(how)) parameters(otherForm);
	if (/existing wanted/.test(how)) parameters({ options: { existing: true } });
	if (/list 503/.test(how)) replies.list = reply(503);
	if (/form is gone/.test(how)) replies.list = notFound;
	if (/another credential/.test(how)) stored.credentialId = 'another';
	if (/no form/.test(how)) parameters({ formId: { __rl: true, mode: 'id', value: '' } });
	if (/no interval/.test(how)) parameters({ pollInterval: 0 });
	if (/pasted/.test(how)) stored.nodeId = 'pasted';
	if (/no credential/.test(how)) stored.credentials = credentialValues({}, { baseUrl: '' });
	if (/another service/.test(how))
		stored.credentials = credentialValues({}, { baseUrl: ELSEWHERE });
	if (/copy/.test(how)) stored.webhookBaseUrl = 'https://copy.example.com/webhook';
	if (/localhost/.test(how)) stored.webhookBaseUrl = LOCAL;
	if (/no scheme/.test(how)) stored.webhookBaseUrl = 'n8n.example.com/webhook';
}

const MODES: Record<string, WorkflowActivateMode> = {
	publish: 'activate',
	import: 'activate',
	'clean-up': 'activate',
	'go on': 'update',
	update: 'update',
	again: 'update',
	lead: 'leadershipChange',
};

/** Lets it happen. */
async function happen(stored: Stored, event: string): Promise<unknown> {
	const [name] = event.split(':');
	if (name === 'unpublish') return await callHook(stored, 'delete');
	const activation = /at start/.test(event) ? 'init' : (MODES[name] ?? 'init');
	if (await callHook(stored, 'checkExists', { activation })) return 'exists';
	const creation = callHook(stored, 'create', { activation });
	if (name !== 'clean-up') return await creation;
	await expect(creation).rejects.toThrow();
	return await callHook(stored, 'delete', { activation });
}

/** From when on responses count. */
function startOf(stored: Stored): string | undefined {
	const { since, baseline } = stateIn(stored) ?? {};
	return since === undefined ? undefined : JSON.stringify([since, baseline?.length]);
}

function shownState(stored: Stored, startBefore: string | undefined): string {
	const state = stateIn(stored);
	if (state === undefined) return 'none';
	const hook = state.hookId ? `hook ${Number(state.hookId.slice(-12))}` : '';
	const start = startOf(stored);
	const age = clock.now() - Date.parse(state.since ?? '');
	const isAll = start === JSON.stringify(['', 0]);
	const now = Math.abs(age - DAY) < HOUR ? 'day' : isAll ? 'all' : 'now';
	const from = start && (start === startBefore ? 'before' : now);
	const isGuess = state.guessUntil && 'guess';
	return [state.status, hook, from, isGuess].filter(Boolean).join(' ');
}

/** What was asked; a request that was repeated at once counts once. */
function shownRequests(): string {
	const all = [...service.sent, ...other.sent].map(({ method, path }) => {
		if (method === 'POST') return 'POST';
		return method === 'DELETE' ? `DELETE ${Number(path.slice(-12))}` : method;
	});
	return all.filter((one, n) => one !== all[n - 1]).join(' ');
}

test.each(rows)('%s, %s → %s; %s; %s', async (state, event, becomes, requests, answer) => {
	const logs = keepLogs(trigger);
	let stored = await inState(state);
	const before = startOf(stored);
	if (/restart|copy|import|go on|lead/.test(event)) stored = inAnotherProcess(stored);
	// n8n calls `delete` with the earlier version of the node.
	if (/^again/.test(event)) await callHook(stored, 'delete', { activation: 'update' });
	change(stored, event);
	service.sent.splice(0);
	logs.splice(0);

	const happening = happen(stored, event).catch(() => 'error');
	const result = await whileTimePasses(clock, happening);
	await clock.pass(11_000);
	const shown = shownRequests();
	const warns = warningsIn(logs).length > 0 ? ', warns' : '';
	expect([
		shownState(stored, before),
		requests.endsWith('…') ? `${shown.split(' ').slice(0, 4).join(' ')} …` : shown,
		`${String(result)}${warns}`,
	]).toEqual([becomes, requests, answer]);
	for (const target of targetsOf(service)) {
		const [, token] = queryOf(target).key.split('.');
		expect(JSON.stringify(stored.staticData ?? {})).not.toContain(token);
	}
});
