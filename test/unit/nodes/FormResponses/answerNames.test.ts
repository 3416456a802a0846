import { columnName } from '../../../../nodes/FormResponses/answerNames';

test.each([
	['Full name', 'full_name'],
	['  E-mail / phone? ', 'e_mail_phone'],
	['__proto__', 'proto'],
	['Größe & Straße', 'grosse_strasse'],
	['Prénom', 'prenom'],
	['I\u0307stanbul ①', 'istanbul_1'],
	['2nd choice', 'field_2nd_choice'],
	['質問 3', 'field_f1c9_52'],
	['Eメール', 'field_f1c9_52'],
	['1–5 ☆', 'field_1_5'],
	['Smørrebrød', 'sm_rrebr_d'],
	['質問', 'field_f1c9_52'],
	['', 'field_f1c9_52'],
	['a'.repeat(63), 'a'.repeat(63)],
	['a'.repeat(54) + ' b'.repeat(9), 'a'.repeat(54) + '_f1c9_52'],
	['7' + 'a'.repeat(100), 'field_7' + 'a'.repeat(48) + '_f1c9_52'],
])('the label %j is the column %s', (label, column) => {
	expect(columnName(label, 'f1c9-52')).toBe(column);
});

test('a long label keeps its beginning beside a long ID', () => {
	const id = '03678d6e-ae73-4fbd-bb75-0f35716b6a1d';
	expect(columnName('a'.repeat(70), id)).toBe('a'.repeat(54) + '_716b6a1d');
});
