import type { IDataObject } from 'n8n-workflow';
import { fakeService, ok, type FakeService } from '../../../kit/formService';
import { act } from './operation.fixture';

const DATES = [
	['form', 'updatedAfter', 'Updated After'],
	['response', 'completedAfter', 'Completed After'],
	['response', 'completedBefore', 'Completed Before'],
] as const;
const TEXTS = [
	['form', 'status', 'Status'],
	['form', 'titleContains', 'Title Contains'],
	['response', 'respondentEmail', 'Respondent Email'],
] as const;

let service: FakeService;
beforeEach(() => {
	service = fakeService();
	service.always('GET', /./, ok({ data: [], nextCursor: null }));
});

/** The message that refuses a filter, before any request; undefined if the list is read. */
async function refusal(resource: string, name: string, value: unknown) {
	const items = [{ date: '2026-01-31T09:00:00.000Z', email: 'ada@example.com' }];
	const filters = { [name]: value } as IDataObject;
	const { error } = await act(`${resource}:getAll`, { filters }, { items });
	expect(service.sent).toHaveLength(error ? 0 : 1);
	return error?.message;
}

describe.each([...DATES, ...TEXTS])('%s: %s', (resource, name, displayName) => {
	test.each(['', ' ', '\u00a0', '={{ $json.emial }}', '={{ null }}', '= {{ $json.emial }} ', null])(
		'%j is refused as empty',
		async (value) => {
			expect(await refusal(resource, name, value)).toBe(
				`The filter "${displayName}" is empty. Enter a value, or remove the filter.`,
			);
		},
	);

	test.each([
		['={{ ["2026-01-31"] }}', '["2026-01-31"]'],
		['={{ { email: $json.email } }}', '{"email":"ada@example.com"}'],
	])('%s is neither a text nor a date', async (value, got) => {
		const isDate = DATES.some(([, date]) => date === name);
		const rule = isDate ? 'a date such as 2026-01-31T09:00:00Z' : 'text';
		expect(await refusal(resource, name, value)).toBe(
			`The filter "${displayName}" is ${got}. Enter ${rule}.`,
		);
	});
});

describe.each(DATES)('%s: %s', (resource, name, displayName) => {
	test.each([
		'2026-01-31',
		' 2026-01-31T09:00 ',
		'2026-01-31 09:00:00',
		'2026-01-31T09:00:00.000+01:00',
		'2026-01-31T09:00:00.5z',
		'2026-01-31T09:00+01:00[Europe/Berlin]',
		'2026-01-31 09:00 +0100',
		'={{ $now }}',
		'={{ $today.minus({ days: 1 }) }}',
		'={{ new Date() }}',
		'={{ $json.date }}',
		'={{ $json.date.toDateTime() }}',
	])('takes %s', async (value) => {
		expect(await refusal(resource, name, value)).toBeUndefined();
	});

	test.each([
		[10, '10'],
		['={{ 45000 }}', '45000'],
		['45000', '"45000"'],
		['12:30', '"12:30"'],
		['Week 7', '"Week 7"'],
		['2026-02-30', '"2026-02-30"'],
		['2026-13-01', '"2026-13-01"'],
		['soon', '"soon"'],
		['2026-01-31 09:00 PM', '"2026-01-31 09:00 PM"'],
		['2026-01-31 10:00 (CET)', '"2026-01-31 10:00 (CET)"'],
		['2026-01-31T10', '"2026-01-31T10"'],
	])('refuses %j, with an example', async (value, got) => {
		expect(await refusal(resource, name, value)).toBe(
			`The filter "${displayName}" is ${got}. Enter a date such as 2026-01-31T09:00:00Z.`,
		);
	});
});
