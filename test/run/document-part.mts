import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../playground/n8n/build.mts';

/**
 * Puts text into a document of the project, between two comments that name the part.
 *
 * @param text or what makes it of the text that is there
 * @throws where the document has no such place
 */
export function writeDocumentPart(
	document: string,
	part: string,
	text: string | ((before: string) => string),
) {
	const [begin, end] = [`<!-- ${part}:begin -->`, `<!-- ${part}:end -->`];
	const path = join(packageRoot, document);
	const [before, rest] = readFileSync(path, 'utf8').split(begin);
	const [present, after] = rest?.split(end) ?? [];
	if (after === undefined) throw new Error(`${path} has no place for it: ${begin}, ${end}`);
	const wanted = typeof text === 'string' ? text : text(present!);
	writeFileSync(path, `${before}${begin}\n\n${wanted}\n\n${end}${after}`);
}
