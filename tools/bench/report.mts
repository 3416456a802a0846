import { markdownTable } from '../document/markdown-table.mts';
import { isMet, median, type Check, type Result } from './row.mts';

const DIGITS = 3;
/** A number has no more. */
const MOST_DIGITS = 17;

/** So many digits, or all before the point. */
const format = (value: number, digits = DIGITS): string =>
	new Intl.NumberFormat('en', {
		maximumSignificantDigits: digits,
		maximumFractionDigits: 0,
		roundingPriority: 'morePrecision',
	}).format(value);

/** With more digits if it misses the bar and would read like it. */
function formatMeasured(check: Check): string {
	const bar = format(check.bar[1]);
	let digits = DIGITS;
	const isLikeBar = () => format(check.value, digits) === bar;
	while (!isMet(check) && digits < MOST_DIGITS && isLikeBar()) digits++;
	return format(check.value, digits);
}

export function textOf({ row, measured }: Result): string {
	const lines = Object.entries(measured).flatMap(([name, figures]) =>
		Object.entries(figures).map(([what, values]) => [
			name,
			`${format(median(values))} ${what}`,
			`${format(Math.min(...values))} – ${format(Math.max(...values))}`,
			String(values.length),
		]),
	);
	const table = markdownTable(['', 'median', 'least – most', 'runs'], lines);
	return `## ${row.title}\n\n${row.how}\n\n${table}`;
}

const signs: Record<Check['bar'][0], string> = { 'at most': '≤', 'at least': '≥', exactly: '=' };

function lineOf({ row }: Result, check: Check): string[] {
	const { what, unit, bar } = check;
	const withUnit = (figure: string) => `${figure}${unit === undefined ? '×' : ` ${unit}`}`.trim();
	const bound = withUnit(`${signs[bar[0]]}${format(bar[1])}`);
	return [row.title, what, withUnit(formatMeasured(check)), bound, isMet(check) ? 'yes' : '**no**'];
}

export function checksOf(results: Result[]): string {
	const checks = results.flatMap((result) => result.checks);
	const lines = results.flatMap((result) => result.checks.map((check) => lineOf(result, check)));
	const table = markdownTable(['row', 'what', 'measured', 'bar', 'met'], lines);
	return `${checks.filter(isMet).length} of ${checks.length} bars are met.\n\n${table}`;
}
