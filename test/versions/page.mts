import { writeDocumentPart } from '../run/document-part.mts';
import { markdownTable } from '../run/markdown-table.mts';

/** The rows of a table, as they stand in a page. */
const rowsIn = (table: string) =>
	table
		.split('\n')
		.filter((line) => line.startsWith('| '))
		.slice(2)
		.map((line) => line.slice(2, -2).split(' | '));

/** Puts the row of a version into a table of the compatibility page, in place of what was there of it. */
export function writeRow(part: string, head: string[], row: string[], versions: string[]) {
	writeDocumentPart('docs/compatibility.md', part, (table) => {
		const others = rowsIn(table).filter(([version]) => version !== row[0]);
		const rows = [...others, row].filter(([version]) => versions.includes(version!));
		rows.sort(([a], [b]) => versions.indexOf(a!) - versions.indexOf(b!));
		return markdownTable(head, rows);
	});
}
