import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { tryToParseDateTime } from 'n8n-workflow';
import { folded } from '../transport/folded';
import { isBlank, parameterError } from '../parameters';

export const filtersField = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options,
});

type Wanted = string | number | undefined;

/** All of the text: what is not ISO, n8n reads in the time zone of the server (n8n-workflow, type-validation.ts). */
const ISO_DATE =
	/^(\d{4}-\d\d-\d\d)([T ]\d\d:\d\d(:\d\d([.,]\d+)?)?( ?(Z|[+-]\d\d(:?\d\d)?))?(\[[\w/+-]+\])?)?$/i;

/** Milliseconds since 1970; a date without a time zone is in the given one. */
function asTime(value: unknown, timezone: string): Wanted {
	try {
		// As JSON, a Date and a DateTime of n8n's are ISO dates, too.
		const text = (JSON.parse(JSON.stringify(value)) as string).trim();
		const day = ISO_DATE.exec(text)?.[1];
		const time = tryToParseDateTime(text, timezone);
		// It takes 30 February for 2 March (n8n-workflow, type-validation.ts).
		return time.toISODate() === day ? time.toMillis() : undefined;
	} catch {
		return undefined;
	}
}

const asText = (value: unknown): Wanted => (typeof value === 'object' ? undefined : folded(value));

/**
 * What the filters that were added ask for, by name: folded text, or milliseconds since 1970. One that
 * gives nothing still has its key, and is refused: without it, everything would come.
 */
export function readFilters<Filters>(
	context: IExecuteFunctions,
	fields: INodeProperties[],
	itemIndex: number,
): Partial<Filters> {
	const filters = context.getNodeParameter('filters', itemIndex, {}) as Record<string, unknown>;
	const read = ({ name, displayName, type }: INodeProperties): [string, Wanted] => {
		const value = filters[name];
		const [wanted, rule] =
			type === 'dateTime'
				? [asTime(value, context.getTimezone()), 'Enter a date such as 2026-01-31T09:00:00Z.']
				: [asText(value), 'Enter text.'];
		if (wanted !== undefined && !isBlank(value)) return [name, wanted];
		const wayOut = isBlank(value) ? 'Enter a value, or remove the filter.' : rule;
		throw parameterError(context, displayName, value, wayOut, itemIndex, 'filter');
	};
	const added = fields.filter(({ name }) => name in filters);
	return Object.fromEntries(added.map(read)) as Partial<Filters>;
}
