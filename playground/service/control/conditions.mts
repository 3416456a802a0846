import type { FaultRequest } from '../faults/fault.mts';
import { issueToken, type DirectToken } from '../oauth/direct-token.mts';
import { seed } from '../seed.mts';
import { defaultSettings, type Settings } from '../settings.mts';
import type { Service } from '../service.mts';
import { bodyOf, idIn, removed, type Operations } from './operation.mts';

type Reset = { seed?: boolean; keepTokens?: boolean };

function changeSettings(service: Service, changes: Partial<Settings>): void {
	Object.assign(service.settings, changes);
	service.rateLimit.refill();
}

function reset(service: Service, { seed: withSeed = false, keepTokens = false }: Reset): void {
	service.deliveries.forget();
	service.store.clear({ keepTokens });
	service.requests.clear();
	service.faults.clear();
	changeSettings(service, defaultSettings);
	if (withSeed) seed(service);
}

export const conditionOperations: Operations = {
	reset(service, request, response) {
		reset(service, bodyOf<Reset>(request));
		response.json({});
	},
	listFaults(service, _request, response) {
		response.json({ faults: service.faults.all() });
	},
	addFault(service, request, response) {
		response.json({ id: service.faults.add(bodyOf<FaultRequest>(request)).id });
	},
	removeFault(service, request, response) {
		removed(response, service.faults.remove(idIn(request, 'faultId')), 'fault');
	},
	clearFaults(service, _request, response) {
		service.faults.clear();
		response.status(204).end();
	},
	showSettings(service, _request, response) {
		response.json(service.settings);
	},
	changeSettings(service, request, response) {
		changeSettings(service, bodyOf<Partial<Settings>>(request));
		response.json(service.settings);
	},
	makeToken(service, request, response) {
		response.json(issueToken(service, bodyOf<DirectToken>(request)));
	},
	expireTokens(service, _request, response) {
		response.json({ expired: service.store.tokens.expireAccessTokens() });
	},
	findTokens(service, request, response) {
		const { text } = bodyOf<{ text: string }>(request);
		response.json({ found: service.store.tokens.countIn(text) });
	},
};
