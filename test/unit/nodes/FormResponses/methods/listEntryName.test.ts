import { listEntryName } from '../../../../../nodes/FormResponses/methods/listEntryName';

test.each([
	['Survey', ['Survey', 'Contact'], 'Survey'],
	['Contact', ['Contact', 'Survey', 'Contact'], 'Contact (…345678)'],
	['', [''], 'Untitled (…345678)'],
	['', ['', ''], 'Untitled (…345678)'],
])('%j among %j is listed as %s', (name, names, listed) => {
	expect(listEntryName(name, names, 'id-12345678')).toBe(listed);
});
