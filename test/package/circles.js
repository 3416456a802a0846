/**
 * The ways that lead from a file back to itself, by what each file needs.
 *
 * @param {string[]} files
 * @param {(path: string) => string[]} neededBy
 */
exports.circlesIn = (files, neededBy) => {
	/** @type {string[]} */
	const circles = [];
	/** @type {(path: string, way: string[]) => void} */
	const visit = (path, way) => {
		if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(' > '));
		else for (const needed of neededBy(path)) visit(needed, [...way, path]);
	};
	for (const path of files) visit(path, []);
	return circles;
};
