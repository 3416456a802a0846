import type { IHookFunctions } from 'n8n-workflow';
import { NodeOperationError, sleep } from 'n8n-workflow';
import { read, readAuthentication, readFormId, readPollInterval } from '../../parameters';
import { createHook, listResponses } from '../../transport/endpoints';
import type { Api, ResponseEnvelope } from '../../transport/types';
import { readOnlyIf } from '../onlyIf';
import { newKey, stored, withKey } from '../state/hookKey';
import { ownerOf } from '../state/memory';
import { open } from './hookContext';
import { assertReachable, assertWhole } from './ownAddress';
import { assertOwnUrlAnswers, deliveryTo, orNew } from './ownTestUrl';
import { webhookUrlOf } from './subscribedPlace';
import { transitions } from '../state/triggerState';
import { store } from '../state/storedState';
import { timing } from '../timing';

/** n8n registers the test listener about this long after `create` returns. */
const REGISTRATION_MS = 300;
const TRIES = 10;

async function latestOf(context: IHookFunctions, api: Api, formId: string) {
	const [latest] = await listResponses(api, formId, 1);
	if (latest !== undefined) return latest;
	const message = `This form has no completed response yet. Fill it in once and try again.${orNew(api.authentication)}`;
	throw new NodeOperationError(context.getNode(), message);
}

/** Delivers a response to the test listener, as the service would. */
async function deliver(context: IHookFunctions, url: string, envelope: ResponseEnvelope) {
	let reason = '';
	for (let tries = 1; tries <= TRIES; tries++) {
		await sleep(REGISTRATION_MS);
		try {
			await context.helpers.httpRequest(deliveryTo(url, envelope));
			return;
		} catch (error) {
			const { response, message } = error as Error & { response?: { status: number } };
			reason = response ? `status ${response.status}` : message;
		}
	}
	context.logger.warn(
		`The latest response could not be delivered to the test URL (${reason}). Test again.`,
	);
}

/** Shows the test listener the next response, or the latest one. */
export async function listen(context: IHookFunctions): Promise<void> {
	const authentication = readAuthentication(context);
	const formId = readFormId(context);
	readOnlyIf(context);
	if (authentication === 'apiKey') readPollInterval(context);
	const webhookUrl = webhookUrlOf(context);
	assertWhole(context, webhookUrl);
	const key = newKey(Date.now());
	const targetUrl = withKey(webhookUrl, key);
	const place = { formId, webhookUrl };
	const state = {
		...transitions.subscribed(place, ownerOf(context), stored(key), { since: '', baseline: [] }),
		isTest: true,
	};
	const endsAt = performance.now() + timing.attemptMs;
	const api = await open(context, authentication, endsAt, [key.text]);
	if (authentication === 'apiKey' || read(context, 'testWith') === 'latest') {
		const latest = await latestOf(context, api, formId);
		await assertOwnUrlAnswers(context, webhookUrl, latest, authentication);
		store(context, state);
		void deliver(context, targetUrl, latest);
		return;
	}
	assertReachable(context, api.baseUrl, webhookUrl);
	// Stored before the request: the service may create the hook while its reply is lost.
	store(context, state);
	const { id: hookId } = await createHook(api, formId, targetUrl);
	store(context, { ...state, hookId });
}
