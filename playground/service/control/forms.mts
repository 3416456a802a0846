import { createForms, type NewForms } from '../form-creation.mts';
import { bodyOf, idIn, removed, type Operations } from './operation.mts';

export const formOperations: Operations = {
	makeForms(service, request, response) {
		response.json({ forms: createForms(service, bodyOf<NewForms>(request)) });
	},
	removeForm(service, request, response) {
		removed(response, service.store.forms.remove(idIn(request, 'formId')), 'form');
	},
};
