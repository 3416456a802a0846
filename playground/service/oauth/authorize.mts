import OAuth2Server from '@node-oauth/oauth2-server';
import type { RequestHandler } from 'express';
import { html } from '../pages/html.mts';
import { page } from '../pages/layout.mts';
import type { Service } from '../service.mts';
import { demoUser, workspace } from '../workspace.mts';
import { demoClient, isAllowedRedirect } from './client.mts';
import { toOAuthRequest } from './request.mts';
import { allScopes } from './scopes.mts';

type OAuthError = Error & { code?: number };
type Parameters = Record<string, string>;

/** Errors that must not be sent to the redirect URI, because it cannot be trusted. */
function faultIn({ client_id: clientId, redirect_uri: redirectUri }: Parameters): string | null {
	if (clientId !== demoClient.id) {
		return `The parameter client_id must be ${demoClient.id}.`;
	}
	if (redirectUri !== undefined && !isAllowedRedirect(redirectUri)) {
		return 'The parameter redirect_uri must be an http(s) address on localhost or 127.0.0.1.';
	}
	return null;
}

const problemPage = (fault: string): string =>
	page('This request cannot be allowed', html`<p>${fault}</p>`);

const parameters = (query: object): Parameters =>
	Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]));

export const authorizePage = (): RequestHandler => (request, response) => {
	const query = parameters(request.query);
	const fault = faultIn(query);
	if (fault) {
		response.status(400).send(problemPage(fault));
		return;
	}
	const scopes = query.scope ? query.scope.split(' ') : allScopes;
	// The buttons say it, not the address.
	const { allowed: _, ...forwarded } = query;
	const hidden = Object.entries(forwarded).map(
		([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
	);
	const content = html`<p>
			<strong>${query.client_id}</strong> asks to use the workspace
			<strong>${workspace.name}</strong> as ${demoUser.name} (${demoUser.email}), with
		</p>
		<ul>
			${scopes.map((scope) => html`<li><code>${scope}</code></li>`)}
		</ul>
		<form method="post" action="/oauth/authorize">
			${hidden}
			<button name="allowed" value="true">Allow</button>
			<button name="allowed" value="false" class="secondary outline">Deny</button>
		</form>`;
	response.send(page('Allow access', content));
};

export const allowEndpoint =
	(service: Service, server: OAuth2Server): RequestHandler =>
	async (request, response) => {
		const answer = new OAuth2Server.Response();
		try {
			await server.authorize(toOAuthRequest(request), answer, {
				allowEmptyState: true,
				authenticateHandler: { handle: () => demoUser },
			});
		} catch (error) {
			const { code, name, message } = error as OAuthError;
			if (code === undefined || code >= 500) service.log(`POST /oauth/authorize: ${name}`);
			if (!answer.headers?.location) {
				response.status(400).send(problemPage(faultIn(parameters(request.body ?? {})) ?? message));
				return;
			}
		}
		response.redirect(303, String(answer.headers?.location));
	};
