import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { tryToParseDateTime } from 'n8n-workflow';
import { folded } from '../transport/comparableText';
import { isBlank, orDefault, parameterError, read } from '../parameters';

export const filtersField = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options,
});

export const NO_MATCH = 'For at least one item, nothing that was read matches the filters.';

type Wanted = string | number | undefined;

/** Matches whole texts: n8n reads other formats in the server's time zone (n8n-workflow, type-validation.ts). */
const ISO_DATE =
	/^(\d{4}-\d\d-\d\d)([T ]\d\d:\d\d(:\d\d([.,]\d+)?)?( ?(Z|[+-]\d\d(:?\d\d)?))?(\[[\w/+-]+\])?)?$/i;

/** Milliseconds since 1970. `timezone` applies to dates without one. */
const asTime = (value: unknown, timezone: string): Wanted =>
	orDefault<Wanted>(() => {
		// Date and n8n's DateTime serialize to ISO dates.
		const text = (JSON.parse(JSON.stringify(value)) as string).trim();
		const day = ISO_DATE.exec(text)?.[1];
		const time = tryToParseDateTime(text, timezone);
		// n8n parses 30 February as 2 March (n8n-workflow, type-validation.ts).
		return time.toISODate() === day ? time.toMillis() : undefined;
	}, undefined);

const asText = (value: unknown): Wanted =>
	typeof value === 'object' ? undefined : folded(value) || undefined;

/**
 * Reads the added filters by name: normalized text, or milliseconds since 1970.
 *
 * @throws NodeOperationError for an empty or invalid filter: ignoring it would return everything
 */
export function readFilters<Filters>(
	context: IExecuteFunctions,
	fields: INodeProperties[],
	itemIndex: number,
): Partial<Filters> {
	const filters = read(context, 'filters', itemIndex) as Record<string, unknown>;
	const wantedOf = ({ name, displayName, type }: INodeProperties): [string, Wanted] => {
		const value = filters[name];
		const [wanted, rule] =
			type === 'dateTime'
				? [asTime(value, context.getTimezone()), 'Enter a date such as 2026-01-31T09:00:00Z.']
				: [asText(value), 'Enter text.'];
		if (wanted !== undefined) return [name, wanted];
		const fix = isBlank(value) ? 'Enter a value, or remove the filter.' : rule;
		throw parameterError(context, displayName, value, fix, itemIndex, 'filter');
	};
	const added = fields.filter(({ name }) => name in filters);
	return Object.fromEntries(added.map(wantedOf)) as Partial<Filters>;
}
