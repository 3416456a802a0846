import { Router, urlencoded, type Request, type Response } from 'express';
import type { Service } from '../service.mts';
import { storeSubmissions } from '../submission.mts';
import type { FormWithFields } from '../types.mts';
import { readFilled, toAnswers } from './filled-form.mts';
import { formPage, thankYouPage } from './form-page.mts';
import { notFoundPage } from './not-found-page.mts';
import { responsesPage } from './lists.mts';

type Show = (form: FormWithFields, request: Request, response: Response) => void;

const queryOf = ({ originalUrl }: Request): string =>
	URL.parse(originalUrl, 'http://x')?.search ?? '';

/** Query parameters of the form's URL become hidden fields. */
const hiddenFieldsOf = (query: string): Record<string, string> =>
	Object.fromEntries(new URLSearchParams(query));

export function formRoutes(service: Service): Router {
	const router = Router();

	const withForm =
		(show: Show) =>
		(request: Request, response: Response): void => {
			const form = service.store.forms.get(String(request.params.formId).toLowerCase());
			if (form) show(form, request, response);
			else response.status(404).send(notFoundPage());
		};

	const showForm: Show = (form, request, response) => {
		response.send(formPage(form, { query: queryOf(request) }));
	};

	const submit: Show = (form, request, response) => {
		const query = queryOf(request);
		const filled = readFilled(form.fields, (request.body ?? {}) as Record<string, unknown>);
		const { answers, problems } = toAnswers(form.fields, filled);
		if (Object.keys(problems).length > 0) {
			response.status(400).send(formPage(form, { query, filled, problems }));
			return;
		}
		const submission = {
			answers,
			hiddenFields: hiddenFieldsOf(query),
			metadata: { source: 'page' },
		};
		const envelopes = storeSubmissions(service, form, [submission]);
		response.redirect(303, `/forms/${form.id}/thank-you`);
		for (const envelope of envelopes) void service.deliveries.deliver(envelope);
	};

	router.get('/:formId', withForm(showForm));
	router.post('/:formId', urlencoded({ extended: false }), withForm(submit));
	router.get(
		'/:formId/thank-you',
		withForm((form, _request, response) => {
			response.send(thankYouPage(form));
		}),
	);
	router.get(
		'/:formId/responses',
		withForm((form, _request, response) => {
			response.send(responsesPage(service, form));
		}),
	);
	return router;
}
