import type { Field, FormWithFields } from '../types.mts';
import { html, type Html } from './html.mts';
import { page } from './layout.mts';

type Control = (field: Field) => Html;

const input =
	(type: string): Control =>
	({ id, label, required }) =>
		html`<label>
			${label}${required && ' *'}
			<input
				type="${type}"
				name="${id}"
				${required && 'required'}
				${type === 'number' && html`step="any"`}
			/>
		</label>`;

const options =
	(type: 'radio' | 'checkbox'): Control =>
	({ id, label, required, choices }) =>
		html`<fieldset>
			<legend>${label}${required && ' *'}</legend>
			${choices.map(
				(choice) =>
					html`<label>
						<input
							type="${type}"
							name="${id}"
							value="${choice}"
							${type === 'radio' && required && 'required'}
						/>
						${choice}
					</label>`,
			)}
		</fieldset>`;

const controls: Record<string, Control> = {
	email: input('email'),
	number: input('number'),
	choice: options('radio'),
	'multi-choice': options('checkbox'),
};

export const formPage = ({ id, title, fields }: FormWithFields, query: string): string =>
	page(
		title,
		html`<form method="post" action="/forms/${id}${query}">
			${fields.map((field) => (controls[field.type] ?? input('text'))(field))}
			<button>Submit</button>
		</form>`,
	);
