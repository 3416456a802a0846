import { uniqueName } from '../../../../../nodes/FormResponses/methods/uniqueName';

test.each([
	['Survey', ['Survey', 'Contact'], 'Survey'],
	['Contact', ['Contact', 'Survey', 'Contact'], 'Contact (…345678)'],
	['', [''], 'Untitled (…345678)'],
	['', ['', ''], 'Untitled (…345678)'],
])('%j among %j is listed as %s', (name, names, listed) => {
	expect(uniqueName(name, names, 'id-12345678')).toBe(listed);
});
