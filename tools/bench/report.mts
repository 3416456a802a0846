import { markdownTable } from '../document.mts';
import type { Bar, Check } from './row.mts';

const DIGITS = 3;
/** A number has no more. */
const MOST_DIGITS = 17;

const meets = {
	'≤': (value: number, than: number) => value <= than,
	'≥': (value: number, than: number) => value >= than,
	'=': (value: number, than: number) => value === than,
};

export function partsOf(bar: Bar) {
	const [, sign, than, unit] = /^(.)([\d.]+)(.*)$/.exec(bar)!;
	return { sign: sign as keyof typeof meets, than: Number(than), unit };
}

export function isMet({ value, bar }: Pick<Check, 'value' | 'bar'>): boolean {
	const { sign, than } = partsOf(bar);
	return meets[sign](value, than);
}

/** So many digits, or all before the point. */
const format = (value: number, digits = DIGITS): string =>
	new Intl.NumberFormat('en', {
		maximumSignificantDigits: digits,
		maximumFractionDigits: 0,
		roundingPriority: 'morePrecision',
	}).format(value);

function cellsOf({ row, what, value, bar }: Check): string[] {
	const { sign, than, unit } = partsOf(bar);
	const met = isMet({ value, bar });
	let digits = DIGITS;
	// What misses its bar must not read like it.
	while (!met && digits < MOST_DIGITS && format(value, digits) === format(than)) digits++;
	const measured = `${format(value, digits)}${unit}`;
	return [row, what, measured, `${sign}${format(than)}${unit}`, met ? 'yes' : '**no**'];
}

export function checksTable(checks: Check[]): string {
	const table = markdownTable(['row', 'what', 'measured', 'bar', 'met'], checks.map(cellsOf));
	return `${checks.filter(isMet).length} of ${checks.length} bars are met.\n\n${table}`;
}
