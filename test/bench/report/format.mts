import type { Check } from '../row.mts';

const digits = (value: number) => (Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);

export function quantity(value: number, unit: string): string {
	const text = Number.isInteger(value)
		? value.toLocaleString('en')
		: value.toLocaleString('en', { maximumFractionDigits: digits(value) });
	return unit === '' ? text : `${text} ${unit}`;
}

export function barOf({ bar, unit }: Check): string {
	if ('atMost' in bar) return `at most ${quantity(bar.atMost, unit)}`;
	if ('atLeast' in bar) return `at least ${quantity(bar.atLeast, unit)}`;
	return `exactly ${quantity(bar.exactly, unit)}`;
}
