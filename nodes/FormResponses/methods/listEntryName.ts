/** The name; if it is not unique among all, with the end of the ID. */
export function listEntryName(name: string, names: string[], id: string): string {
	const isUnique = names.indexOf(name) === names.lastIndexOf(name);
	return name !== '' && isUnique ? name : `${name || 'Untitled'} (…${id.slice(-6)})`;
}
