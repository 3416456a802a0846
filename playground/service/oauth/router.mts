import OAuth2Server from '@node-oauth/oauth2-server';
import { Router, urlencoded } from 'express';
import type { Service } from '../service.mts';
import { allowEndpoint, authorizePage } from './authorize.mts';
import { createModel } from './model.mts';
import { tokenEndpoint } from './token.mts';

export function oauthRouter(service: Service): Router {
	const server = new OAuth2Server({ model: createModel(service) });
	const router = Router();
	const form = urlencoded({ extended: false });

	router.get('/authorize', authorizePage());
	router.post('/authorize', form, allowEndpoint(service, server));
	router.post('/token', form, tokenEndpoint(service, server));
	return router;
}
