import { Router, urlencoded, type Request, type Response } from 'express';
import type { Service } from '../service.mts';
import { storeSubmissions } from '../submission.mts';
import type { Form, FormWithFields } from '../types.mts';
import { answersIn } from './filled-in.mts';
import { formPage } from './form-page.mts';
import { html } from './html.mts';
import { page } from './layout.mts';
import { responsesPage } from './lists.mts';

type Handle = (form: FormWithFields, request: Request, response: Response) => void;

const thanksPage = ({ id, title }: Form, query: string): string =>
	page(
		'Thank you',
		html`<p>Your answers to <strong>${title}</strong> have been sent.</p>
			<p><a href="/forms/${id}${query}">Fill in the form again</a></p>
			<hr />
			<p>
				<small>
					For the developer: <a href="/forms/${id}/responses">Responses to ${title}</a>,
					<a href="/playground/deliveries">deliveries</a>
				</small>
			</p>`,
	);

const queryOf = ({ originalUrl }: Request): string =>
	URL.parse(originalUrl, 'http://x')?.search ?? '';

export function formRoutes(service: Service): Router {
	const router = Router();

	const withForm =
		(handle: Handle) =>
		(request: Request, response: Response, next: () => void): void => {
			const form = service.store.forms.get(String(request.params.formId).toLowerCase());
			if (form) handle(form, request, response);
			else next();
		};
	const show = (pageOf: (form: FormWithFields, request: Request) => string) =>
		withForm((form, request, response) => void response.send(pageOf(form, request)));

	const submit: Handle = (form, request, response) => {
		const submission = {
			answers: answersIn(form.fields, request.body ?? {}),
			// The parameters of the form's address.
			hiddenFields: Object.fromEntries(new URLSearchParams(queryOf(request))),
			metadata: { source: 'page' },
		};
		const envelopes = storeSubmissions(service, form, [submission]);
		response.redirect(303, `/forms/${form.id}/thanks${queryOf(request)}`);
		for (const envelope of envelopes) void service.deliveries.deliver(envelope);
	};

	router.get(
		'/:formId',
		show((form, request) => formPage(form, queryOf(request))),
	);
	router.post('/:formId', urlencoded({ extended: false }), withForm(submit));
	router.get(
		'/:formId/thanks',
		show((form, request) => thanksPage(form, queryOf(request))),
	);
	router.get(
		'/:formId/responses',
		show((form) => responsesPage(service, form)),
	);
	return router;
}
