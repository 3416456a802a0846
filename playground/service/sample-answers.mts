import { toAnswer } from './answers.mts';
import type { Answer, Field } from './types.mts';

type Sample = (field: Field, n: number) => unknown;

const FIRST_NAMES = ['Ada', 'Ben', 'Chloe', 'David', 'Emma', 'Farid', 'Grace', 'Hugo', 'Ines'];
const LAST_NAMES = ['Archer', 'Baker', 'Cole', 'Dale', 'Ellis', 'Fields', 'Grant', 'Hill'];
const SENTENCES = [
	'It works well for me.',
	'Please send me the details.',
	'When do you open on Saturday?',
	'The page took long to load.',
];

const of = (list: string[], n: number) => list[n % list.length] ?? '';
const firstName = (n: number) => of(FIRST_NAMES, n);
const lastName = (n: number) => of(LAST_NAMES, n);

const samples: Record<string, Sample> = {
	email: (_, n) => `${firstName(n)}.${lastName(n)}@example.com`.toLowerCase(),
	number: (_, n) => n % 4,
	choice: ({ choices }, n) => of(choices, n),
	'multi-choice': ({ choices }, n) => choices.filter((_, index) => (n + index) % 2 === 0),
};

const text: Sample = ({ label }, n) =>
	/name/i.test(label) ? `${firstName(n)} ${lastName(n)}` : of(SENTENCES, n);

export const sampleAnswers = (fields: Field[], n: number): Answer[] =>
	fields.map((field) => toAnswer(field, (samples[field.type] ?? text)(field, n)));
