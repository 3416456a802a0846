import OAuth2Server from '@node-oauth/oauth2-server';
import type { Request } from 'express';
import type { Service } from '../service.mts';

type Call = (request: OAuth2Server.Request, answer: OAuth2Server.Response) => Promise<unknown>;

/**
 * Lets the library make an answer, which it also does when it throws. Gives it parameters only from the body, which
 * keeps them out of URL logs.
 */
export async function askLibrary(service: Service, request: Request, call: Call) {
	const { headers, method, originalUrl, body } = request;
	const answer = new OAuth2Server.Response();
	const asked = new OAuth2Server.Request({ headers: headers as any, method, query: {}, body });
	try {
		await call(asked, answer);
		return { answer };
	} catch (error) {
		const { code = 500, name, message } = error as Error & { code?: number };
		if (code >= 500) service.log(`${method} ${originalUrl.split('?')[0]}: ${name}`);
		return { answer, problem: message };
	}
}
