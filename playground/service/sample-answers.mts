import { toAnswer } from './answers.mts';
import type { Answer, Field } from './types.mts';

type Sample = (field: Field, n: number) => unknown;

const choice: Sample = ({ choices }, n) => choices[n % choices.length] ?? '';

const samples: Record<string, Sample> = {
	email: (_, n) => `respondent${n + 1}@example.com`,
	number: (_, n) => n % 100,
	choice,
	'multi-choice': ({ choices }, n) => choices.filter((_, index) => (n + index) % 2 === 0),
};

const text: Sample = ({ label }, n) => `${label} ${n + 1}`;

export const sampleAnswers = (fields: Field[], n: number): Answer[] =>
	fields.map((field) => toAnswer(field, (samples[field.type] ?? text)(field, n)));
