import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../playground/n8n/build.mts';

/**
 * Puts text into a document of the project, between two comments that name the part.
 *
 * @throws where the document has no such place
 */
export function writeDocumentPart(document: string, part: string, text: string) {
	const [begin, end] = [`<!-- ${part}:begin -->`, `<!-- ${part}:end -->`];
	const path = join(packageRoot, document);
	const [before, rest] = readFileSync(path, 'utf8').split(begin);
	const after = rest?.split(end)[1];
	if (after === undefined) throw new Error(`${path} has no place for it: ${begin}, ${end}`);
	writeFileSync(path, `${before}${begin}\n\n${text}\n\n${end}${after}`);
}

/** A table as GitHub shows it. */
export const markdownTable = (head: string[], lines: string[][]) =>
	[head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
