import type { Field, FormWithFields } from '../types.mts';
import { html, type Html } from './html.mts';
import { page } from './layout.mts';
import type { Filled, Problems } from './filled-form.mts';

type Control = (field: Field, values: string[]) => Html;

const input =
	(type: string): Control =>
	({ id, label, required }, [value = '']) =>
		html`<label>
			<span class="label">${label}${required && ' *'}</span>
			<input
				type="${type}"
				name="${id}"
				value="${value}"
				${required && 'required'}
				${type === 'number' && html`step="any"`}
			/>
		</label>`;

const options =
	(type: 'radio' | 'checkbox'): Control =>
	({ id, label, required, choices }, values) =>
		html`<fieldset>
			<legend>${label}${required && ' *'}</legend>
			${choices.map(
				(choice) =>
					html`<label class="option">
						<input
							type="${type}"
							name="${id}"
							value="${choice}"
							${values.includes(choice) && 'checked'}
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

const text = input('text');

type State = { query: string; filled?: Filled; problems?: Problems };

export function formPage(
	form: FormWithFields,
	{ query, filled = {}, problems = {} }: State,
): string {
	const fields = form.fields.map((field) => {
		const problem = problems[field.id];
		return html`<div>
			${(controls[field.type] ?? text)(field, filled[field.id] ?? [])}
			${problem && html`<span class="problem">${problem}</span>`}
		</div>`;
	});
	return page(
		form.title,
		html`<form class="fill" method="post" action="/forms/${form.id}${query}">
			${fields}
			<button>Submit</button>
		</form>`,
	);
}

export const thankYouPage = (form: FormWithFields): string =>
	page(
		'Thank you',
		html`<p>Your response to <strong>${form.title}</strong> has been received.</p>
			<p>
				<a href="/forms/${form.id}">Fill in the form again</a> or
				<a href="/forms/${form.id}/responses">see the responses</a>.
			</p>`,
	);
