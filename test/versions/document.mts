import { writeDocumentPart } from '../run/document-part.mts';
import { markdownTable } from '../run/markdown-table.mts';
import { areas } from './areas.mts';
import type { Results, VersionResult } from './results.mts';

function countOf(passed: number, failed: number): string {
	return failed === 0 ? `all ${passed}` : `**${passed} of ${passed + failed}**`;
}

function cell({ areas: byFile }: VersionResult, file: string): string {
	const area = byFile[file];
	return area ? countOf(area.passed, area.failed.length) : 'not run';
}

function areaTable(results: Results): string {
	const versions = Object.keys(results);
	return markdownTable(
		['tests that passed', ...versions],
		[
			...Object.entries(areas).map(([file, title]) => [
				title,
				...versions.map((version) => cell(results[version]!, file)),
			]),
			['run on', ...Object.values(results).map(({ on }) => on)],
		],
	);
}

function listOf(results: Results, of: (result: VersionResult['areas'][string]) => string[]) {
	return Object.entries(results).flatMap(([version, { areas: byFile }]) => {
		const lines = Object.values(byFile).flatMap(of);
		return lines.length ? [`- **${version}**`, ...new Set(lines.map((line) => `  - ${line}`))] : [];
	});
}

function lacking(results: Results): string {
	const lines = listOf(results, (area) => area.lacking.map(({ reason }) => reason));
	return lines.length
		? `What n8n itself lacks there, so that its test is left out:\n\n${lines.join('\n')}`
		: '';
}

function failing(results: Results): string {
	const lines = listOf(results, ({ failed }) => failed);
	return lines.length ? `What failed:\n\n${lines.join('\n')}` : '';
}

/** Puts what was seen into the compatibility page. */
export function writeDocuments(results: Results) {
	const page = [areaTable(results), failing(results), lacking(results)]
		.filter(Boolean)
		.join('\n\n');
	writeDocumentPart('docs/compatibility.md', 'versions', page);
}
