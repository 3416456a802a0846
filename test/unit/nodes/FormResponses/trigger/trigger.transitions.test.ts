import nock from 'nock';
import type { WorkflowActivateMode } from 'n8n-workflow';
import { startClock, type Clock } from '../../../kit/clock';
import { credentialValues } from '../../../kit/credentials';
import { activate, callHook, deactivate } from '../../../kit/hookMethods';
import { keepLogs, warningsIn } from '../../../kit/logs';
import { queryOf } from '../../../kit/delivery';
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
 * What the trigger's stored state becomes, by which event. A word that no map below has fails its row.
 *
 * state     one of STATES.
 * event     one of EVENTS, and after a colon what of CHANGES comes first.
 * becomes   the status, the hook that is stored, and from when on responses count: `before`, as in the state before,
 *           `now`, from the event on, `day`, from a day before it, or `all`. `guess`: another n8n may have run some.
 * requests  to the service, until 11 seconds later. POST makes hook 1, 2 …; DELETE 1 removes hook 1; GET reads
 *           responses. The same one several times in a row is shown once, and `…` stands for any more.
 * answer    what n8n gets: `exists` if there is nothing to create. `warns`: the log has a warning.
 */
const TABLE = `
state          | event                                 | becomes                        | requests                    | answer
none           | publish                               | subscribed hook 1 now          | POST                        | true
none           | publish: 503                          | none                           | POST                        | error
none           | publish: with an API key              | polling now                    | GET                         | true
none           | publish: with an API key, key revoked | none                           | GET                         | error
none, Existing | publish                               | subscribed hook 1 all          | POST                        | true
none, Existing | publish: with an API key              | polling all                    |                             | true
lost, Existing | publish                               | subscribed hook 1 all          | POST                        | true
none           | restart                               | subscribed hook 1 day guess    | POST                        | true
none           | restart: refused                      | subscribed day guess           | POST                        | true, warns
none           | restart: at localhost                 | subscribed day guess           |                             | true, warns
none           | restart: with an API key, key revoked | polling day guess              |                             | true
none           | restart: no credential                | subscribed day guess           |                             | true, warns
none           | restart: with an API key              | polling day guess              |                             | true
none           | go on                                 | subscribed hook 1 now          | POST                        | true
none           | import                                | subscribed hook 1 now          | POST                        | true
subscribed     | publish                               | subscribed hook 2 before       | POST DELETE 1               | true
subscribed     | restart                               | subscribed hook 1 before       |                             | exists
long           | restart: 503                          | subscribed before              | POST DELETE 1               | true, warns
long           | restart: lost reply                   | subscribed hook 2 before       | POST DELETE 1               | true
long           | restart: lost replies                 | subscribed before              | POST DELETE 1               | true, warns
long           | restart: DELETE fails                 | subscribed hook 2 before       | POST DELETE 1               | true, warns
long           | restart: allowance used up            | subscribed hook 2 before       | POST DELETE 1 POST …        | true
long           | restart: allowance is full            | subscribed before              | POST DELETE 1 POST DELETE 1 | true, warns
long           | restart: bad request                  | subscribed before              | POST DELETE 1               | true, warns
subscribed     | go on                                 | subscribed hook 1 before       |                             | exists
subscribed     | import                                | subscribed hook 2 now          | POST DELETE 1               | true
subscribed     | import: 503                           | subscribed hook 1 before       | POST                        | error
subscribed     | copy                                  | subscribed hook 2 before guess | POST                        | true, warns
subscribed     | copy: allowance used up               | subscribed hook 1 before       | POST                        | true, warns
subscribed     | restart: no credential                | subscribed hook 1 before       |                             | exists
subscribed     | restart: no form                      | subscribed hook 1 before       |                             | true, warns
subscribed     | restart: another form, 503            | subscribed day guess           | POST DELETE 1               | true, warns
subscribed     | lead                                  | subscribed hook 1 before       |                             | exists
subscribed     | go on: pasted, refused                | subscribed hook 1 before       | POST                        | error
subscribed     | restart: at localhost                 | subscribed hook 1 before       |                             | true, warns
subscribed     | restart: no scheme                    | subscribed hook 1 before       |                             | true, warns
subscribed     | publish: another form                 | subscribed hook 2 now          | POST DELETE 1               | true
subscribed     | publish: another form, 503            | subscribed hook 1 before       | POST                        | error
subscribed     | publish: another service              | subscribed hook 2 before       | POST DELETE 1               | true
subscribed     | again                                 | subscribed hook 1 before       | GET                         | true
subscribed     | again: list 503                       | subscribed hook 1 before       | GET                         | true, warns
subscribed     | again: form is gone                   | stopped hook 1 before          | GET DELETE 1                | error
subscribed     | again: no credential                  | stopped hook 1 before          | DELETE 1                    | error
subscribed     | again: another form                   | subscribed hook 2 now          | POST DELETE 1               | true
subscribed     | again: another form, 503              | stopped hook 1 before          | POST DELETE 1               | error
subscribed     | again: another service                | subscribed hook 2 before       | DELETE 1 POST               | true
subscribed     | again: another credential             | subscribed hook 2 before       | POST DELETE 1               | true
subscribed     | again: another credential, 503        | subscribed hook 1 before       | POST                        | true, warns
subscribed     | again: with an API key                | polling before                 | DELETE 1                    | true
just           | publish                               | subscribed hook 1 before       | GET                         | true
just           | publish: another form                 | subscribed hook 2 now          | POST DELETE 1               | true
just           | go on                                 | subscribed hook 2 before       | POST DELETE 1               | true
just           | restart                               | subscribed hook 2 before       | POST DELETE 1               | true
just           | publish at start                      | subscribed hook 1 before       |                             | true
short          | publish                               | subscribed hook 2 before       | POST                        | true
short          | publish: 503                          | subscribed before              | POST                        | true, warns
short          | publish: lost replies                 | subscribed before              | POST                        | true, warns
short          | publish: refused                      | stopped before                 | POST                        | error
short          | publish: no credential                | stopped before                 |                             | error
short          | restart: refused                      | subscribed before              | POST DELETE 1               | true, warns
short          | restart: no credential                | subscribed before              |                             | true, warns
short          | publish: another form, 503            | stopped before                 | POST                        | error
short          | publish: another form                 | subscribed hook 2 now          | POST                        | true
short          | update: refused                       | stopped before                 | POST                        | error
refused        | publish                               | subscribed hook 2 before       | POST                        | true
refused        | publish: 503                          | subscribed before              | POST                        | true, warns
refused        | publish: refused                      | stopped before                 | POST                        | error
refused, ended | publish                               | subscribed hook 2 now          | POST                        | true
long, refused  | publish                               | subscribed hook 2 now          | POST                        | true
refused, month | publish                               | subscribed hook 2 now          | POST                        | true
long           | publish                               | subscribed hook 2 now          | POST                        | true
long           | publish: existing wanted              | subscribed hook 2 now          | POST                        | true
long           | publish: 503                          | stopped hook 1 before          | POST                        | error
long           | restart                               | subscribed hook 2 before       | POST DELETE 1               | true
long           | publish at start                      | subscribed hook 2 before       | POST                        | true
long           | go on                                 | subscribed hook 2 before       | POST DELETE 1               | true
long           | update                                | subscribed hook 2 now          | POST                        | true
long, Process  | update                                | subscribed hook 2 before       | POST                        | true
long           | import                                | subscribed hook 2 now          | POST DELETE 1               | true
month          | restart                               | subscribed hook 2 day          | POST DELETE 1               | true
month          | restart: 503                          | subscribed day                 | POST DELETE 1               | true, warns
month          | go on                                 | subscribed hook 2 day          | POST DELETE 1               | true
month, Process | restart                               | subscribed hook 2 before       | POST DELETE 1               | true
long, Process  | publish                               | subscribed hook 2 before       | POST                        | true
long, Process  | publish: another form                 | subscribed hook 2 now          | POST                        | true
short, left    | publish                               | subscribed hook 2 before       | POST DELETE 1               | true
short, left    | publish: 503                          | subscribed before              | POST DELETE 1               | true, warns
short, left    | restart: 503                          | subscribed before              | POST DELETE 1               | true, warns
polling        | publish: with an API key              | polling before                 |                             | true
polling        | restart: with an API key              | polling before                 |                             | exists
polling        | restart: with an API key, no interval | polling before                 |                             | exists
polling        | publish                               | subscribed hook 1 before       | POST                        | true
polling, short | publish: with an API key              | polling before                 |                             | true
polling, short | restart: with an API key, no interval | polling before                 |                             | true, warns
polling, long  | publish: with an API key              | polling now                    | GET                         | true
polling, long  | publish: with an API key, key revoked | stopped before                 | GET                         | error
none           | unpublish                             | none                           |                             | true
none           | clean-up: refused                     | none                           | POST                        | true
subscribed     | unpublish                             | stopped hook 1 before          | DELETE 1                    | true
subscribed     | unpublish after a restart             | stopped hook 1 before          | DELETE 1                    | true
subscribed     | unpublish: another form               | stopped hook 1 before          | DELETE 1                    | true
subscribed     | unpublish: DELETE fails               | stopped hook 1 before          | DELETE 1                    | true, warns
subscribed     | unpublish: hook is gone               | stopped hook 1 before          | DELETE 1                    | true
subscribed     | unpublish: another service            | stopped hook 1 before          | DELETE 1                    | true
subscribed     | unpublish in a copy                   | stopped hook 1 before          |                             | true, warns
subscribed     | clean-up: another form, 503           | stopped hook 1 before          | POST DELETE 1               | true
subscribed     | unpublish: no scheme                  | stopped hook 1 before          |                             | true, warns
short          | unpublish                             | stopped before                 |                             | true
short          | clean-up: refused                     | stopped before                 | POST                        | true
polling        | unpublish                             | stopped before                 |                             | true
`;

const SECOND = 1_000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
const MONTH = 30 * DAY;
const ELSEWHERE = 'https://forms.example.org/api/v1';
const LIST = /^\/forms\/[^/]+\/responses$/;

const removed = reply(204);
const unavailable = reply(503);
const notFound = reply(404, anError('not_found', 'There is none'));
const revoked = reply(403, anError('insufficient_scope', 'Revoked'));
const invalid = (message: string) => reply(400, anError('invalid_request', message));

let clock: Clock;
let hooks: number;
let service: FakeService;
let other: FakeService;
/** What the services answer instead of what they should. */
let replies: { post: Reply[]; remove: Reply; list?: Reply };

/** Lets two services make and remove hooks, and the first lose the answers to the first few POSTs. */
function serve(losses = 0) {
	nock.cleanAll();
	service.on('POST', '/hooks', ...Array<Reply>(losses).fill(fault('ECONNRESET')));
	for (const one of [service, other]) {
		one.always('POST', '/hooks', ({ body }) => {
			const createdAt = new Date(clock.now()).toISOString();
			const hook = () => aHook({ ...(body as object), id: idOf(++hooks, 5), createdAt });
			return replies.post.shift() ?? reply(201, hook());
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
	replies = { post: [], remove: removed };
	hooks = 0;
	serve();
});

type Change = (stored: Stored) => unknown;

function having(more: Partial<Stored>): Change {
	return (stored) => Object.assign(stored, more);
}

function setting(parameters: object): Change {
	return (stored) => Object.assign(stored.parameters, parameters);
}

const after = (ms: number) => async () => await clock.pass(ms);

async function publishUnanswered(stored: Stored) {
	serve(2);
	await expect(activate(stored)).rejects.toThrow(/broke off/);
}

async function publishInVain(stored: Stored) {
	replies.post = [notFound];
	await expect(activate(stored)).rejects.toThrow();
	await callHook(stored, 'delete');
	await clock.pass(120 * SECOND);
}

async function leaveHook(stored: Stored) {
	replies.remove = revoked;
	await deactivate(stored);
	await clock.pass(20 * SECOND);
	replies.remove = removed;
}

const apiKey = setting({ authentication: 'apiKey' });
const existing = setting({ options: { existing: true } });
const process = setting({ options: { whileInactive: 'process' } });

const stopped = (ms: number): Change[] => [activate, deactivate, after(ms)];

/** What has led to a state, in this order. */
const STATES: Record<string, Change[]> = {
	none: [],
	'none, Existing': [existing],
	'lost, Existing': [existing, publishUnanswered],
	subscribed: [activate, after(10 * SECOND)],
	just: stopped(SECOND),
	short: stopped(20 * SECOND),
	'short, left': [activate, leaveHook],
	long: stopped(HOUR),
	'long, Process': [process, ...stopped(HOUR)],
	'long, refused': [...stopped(HOUR), publishInVain, after(HOUR)],
	month: stopped(MONTH),
	'month, Process': [process, ...stopped(MONTH)],
	refused: [...stopped(20 * SECOND), publishInVain, after(HOUR)],
	'refused, ended': [...stopped(20 * SECOND), publishInVain, deactivate, after(HOUR)],
	'refused, month': [...stopped(MONTH), publishInVain, after(MONTH)],
	polling: [apiKey, activate, after(10 * SECOND)],
	'polling, short': [apiKey, ...stopped(20 * SECOND)],
	'polling, long': [apiKey, ...stopped(HOUR)],
};

interface Event {
	activation?: WorkflowActivateMode;
	/** What n8n does before it loads the node as it is now. */
	prepare?: (stored: Stored) => Stored | Promise<Stored>;
	/** Without it, n8n publishes. */
	call?: (stored: Stored) => Promise<unknown>;
}

/** n8n's newer engine replaces a published version so. */
async function unpublishEarlier(stored: Stored) {
	await callHook(stored, 'delete', { activation: 'update' });
	return stored;
}

/** This n8n's database, started at another address. */
const inCopy = (stored: Stored): Stored => ({
	...inAnotherProcess(stored),
	webhookBaseUrl: 'https://copy.example.com/webhook',
});

/** n8n calls `delete` after a publication in vain as it does when a person unpublishes. */
async function cleanUp(stored: Stored) {
	await expect(publish(stored, 'activate')).rejects.toThrow();
	return await deactivate(stored);
}

const EVENTS: Record<string, Event> = {
	publish: {},
	/** As n8n's newer engine publishes. */
	update: { activation: 'update' },
	again: { activation: 'update', prepare: unpublishEarlier },
	'publish at start': { activation: 'init' },
	restart: { activation: 'init', prepare: inAnotherProcess },
	/** n8n goes on with a publication that was cut off. */
	'go on': { activation: 'update', prepare: inAnotherProcess },
	lead: { activation: 'leadershipChange', prepare: inAnotherProcess },
	/** What another n8n has stored is published. */
	import: { prepare: inAnotherProcess },
	copy: { activation: 'init', prepare: inCopy },
	unpublish: { call: deactivate },
	'unpublish after a restart': { prepare: inAnotherProcess, call: deactivate },
	'unpublish in a copy': { prepare: inCopy, call: deactivate },
	'clean-up': { call: cleanUp },
};

/** What has changed since, in the node, its surroundings, or how the service answers. */
const CHANGES: Record<string, Change> = {
	'503': () => (replies.post = [unavailable]),
	refused: () => (replies.post = [notFound]),
	'bad request': () => (replies.post = [invalid("The subscription's target URL is invalid")]),
	'allowance used up': () => (replies.post = [invalid('Too many')]),
	'allowance is full': () => (replies.post = [invalid('Too many'), invalid('Too many')]),
	'lost reply': () => serve(1),
	'lost replies': () => serve(2),
	'DELETE fails': () => (replies.remove = revoked),
	'hook is gone': () => (replies.remove = notFound),
	'form is gone': () => (replies.remove = replies.list = notFound),
	'list 503': () => (replies.list = unavailable),
	'key revoked': () => (replies.list = revoked),
	'no interval': setting({ pollInterval: 0 }),
	'with an API key': apiKey,
	'existing wanted': existing,
	'another form': setting({ formId: { __rl: true, mode: 'list', value: OTHER_FORM_ID } }),
	'no form': setting({ formId: { __rl: true, mode: 'id', value: '' } }),
	'another credential': having({ credentialId: 'another' }),
	'no credential': having({ credentials: credentialValues({}, { baseUrl: '' }) }),
	'another service': having({ credentials: credentialValues({}, { baseUrl: ELSEWHERE }) }),
	'at localhost': having({ webhookBaseUrl: 'http://localhost:5678/webhook' }),
	'no scheme': having({ webhookBaseUrl: 'n8n.example.com/webhook' }),
	/** Another node has the name now. */
	pasted: having({ nodeId: 'pasted' }),
};

function named<Value>(map: Record<string, Value>, name: string): Value {
	if (!(name in map)) throw new Error(`"${name}" is none of: ${Object.keys(map).join('; ')}`);
	return map[name];
}

async function inState(name: string): Promise<Stored> {
	const stored = aWorkflow();
	for (const change of named(STATES, name)) await change(stored);
	return stored;
}

/** Publishes as n8n does, but for the clean-up after a failure. */
async function publish(stored: Stored, activation: WorkflowActivateMode) {
	if (await callHook(stored, 'checkExists', { activation })) return 'exists';
	return await callHook(stored, 'create', { activation });
}

/** From when on responses count. */
function startOf(stored: Stored): string | undefined {
	const { since, baseline } = stateIn(stored) ?? {};
	return since === undefined ? undefined : JSON.stringify([since, baseline?.length]);
}

function shownStart(stored: Stored, startBefore: string | undefined) {
	const start = startOf(stored);
	if (start === undefined) return undefined;
	if (start === startBefore) return 'before';
	const age = clock.now() - Date.parse(stateIn(stored)?.since ?? '');
	if (Math.abs(age - DAY) < HOUR) return 'day';
	return start === JSON.stringify(['', 0]) ? 'all' : 'now';
}

function shownState(stored: Stored, startBefore: string | undefined): string {
	const state = stateIn(stored);
	if (state === undefined) return 'none';
	const hook = state.hookId && `hook ${Number(state.hookId.slice(-12))}`;
	const start = shownStart(stored, startBefore);
	return [state.status, hook, start, state.guessUntil && 'guess'].filter(Boolean).join(' ');
}

function shownRequests(): string {
	const all = [...service.sent, ...other.sent].map(({ method, path }) =>
		method === 'DELETE' ? `DELETE ${Number(path.slice(-12))}` : method,
	);
	return all.filter((one, n) => one !== all[n - 1]).join(' ');
}

const [, ...rows] = TABLE.trim()
	.split('\n')
	.map((row) => row.split('|').map((cell) => cell.trim()));

test.each(rows)('%s, %s → %s; %s; %s', async (state, what, becomes, requests, answer) => {
	const [event, ...changes] = what.split(/: |, /);
	const { activation = 'activate', prepare, call } = named(EVENTS, event);
	const logs = keepLogs(trigger);
	let stored = await inState(state);
	const startBefore = startOf(stored);
	stored = (await prepare?.(stored)) ?? stored;
	setting({ authentication: 'oAuth2' })(stored);
	for (const change of changes) named(CHANGES, change)(stored);
	service.sent.splice(0);
	logs.splice(0);

	const happening = call?.(stored) ?? publish(stored, activation);
	const answered = happening.catch(() => 'error');
	const result = await whileTimePasses(clock, answered);
	await clock.pass(11 * SECOND);
	const shown = shownRequests();
	const warns = warningsIn(logs).length > 0 ? ', warns' : '';
	expect([
		shownState(stored, startBefore),
		requests.endsWith('…') ? `${shown.split(' ').slice(0, 4).join(' ')} …` : shown,
		`${String(result)}${warns}`,
	]).toEqual([becomes, requests, answer]);
	for (const target of targetsOf(service)) {
		const [, token] = queryOf(target).key.split('.');
		expect(JSON.stringify(stored.staticData ?? {})).not.toContain(token);
	}
});
