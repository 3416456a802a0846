import type { Page } from '../../../../../../nodes/FormResponses/trigger/recover/missedResponses';
import { decide } from '../../../../../../nodes/FormResponses/trigger/recover/missedResponses';
import { responseKey } from '../../../../../../nodes/FormResponses/transport/responseKey';
import { idOf, responsesOf } from '../../../../kit/samples';

/** Numbered from 4 down to 1. */
const newest = responsesOf(4);
const [last, second, third, oldest] = newest.map(responseKey);
const all = [last, second, third, oldest];

const aPage: Omit<Page, 'newest' | 'isHandled'> = {
	...{ isFull: true, before: [], start: { since: '', baseline: [] }, isWanted: () => true },
	...{ isPolling: false, isFirst: false },
};
const quiet = { isFull: false };
const polling = { isPolling: true };
const unwanted = (key: string): Partial<Page> => ({ isWanted: (one) => responseKey(one) !== key });
const since = (time: string) => ({ ...quiet, start: { since: time, baseline: [] } });
const existing = (...baseline: string[]) => ({ ...quiet, start: { since: '', baseline } });
const again = `${idOf(2, 2)} 2026-01-01T00:00:00Z`;
const after2 = { start: { since: '2026-03-01T11:00:02.000Z', baseline: [] } };

test.each<[string, Partial<Page>, handled: string[], missed: number[], flag?: string]>([
	['a full page of a first look', { isFirst: true }, [], [1, 2, 3, 4], 'isOldestShown'],
	['a full page, all of it new', { before: ['x'] }, [], [1, 2, 3, 4], 'isOldestShown'],
	['a full page, its oldest known', { before: [oldest] }, [], [1, 2, 3, 4]],
	['a full page, its oldest handled', {}, [oldest], [2, 3, 4]],
	['a full page, its oldest not wanted', unwanted(oldest), [], [2, 3, 4], 'isOldestShown'],
	['a full page, its oldest of before the start', after2, [], [2, 3, 4]],
	['a full page, none of it wanted', { isWanted: () => false }, [], []],
	['a page that is not full', quiet, [], [1, 2, 3, 4]],
	['a start in another notation', since('2026-03-01T12:00:02+01:00'), [], [2, 3, 4]],
	['some that were there at the start', existing(oldest, third), [], [3, 4]],
	['one of these that was completed again', existing(again), [], [1, 2, 3, 4]],
	['no response', { ...quiet, newest: [] }, [], []],
	['new ones that were delivered', { before: [oldest] }, all, []],
	['one that was delivered, and one that was not', { before: [oldest] }, all.slice(1), [4]],
	['delivered ones in a first look', { isFirst: true }, all, []],
	['nothing new', { before: all }, all, []],
	['a new one that is not wanted', { before: all.slice(1), ...unwanted(last) }, all, []],
	['polled ones that ran, more than shown', polling, all, [], 'isOverrun'],
	['polled ones that ran, not more than shown', { ...polling, before: [oldest] }, all, []],
	['polled ones that ran, and no more', { ...polling, ...quiet }, all, []],
	['polled ones, more than shown', polling, [], [1, 2, 3, 4], 'isOldestShown'],
	['polled ones of a first look', { ...polling, isFirst: true }, all, []],
])('a look sees %s', (...row) => {
	const [, page, handled, missed, flag] = row;
	const isHandled = (key: string) => handled.includes(key);
	const { missed: found, ...flags } = decide({ ...aPage, newest, isHandled, ...page });
	expect(found.map(({ data }) => data.responseId)).toEqual(missed.map((n) => idOf(n, 2)));
	const raised = Object.entries(flags).flatMap(([name, value]) => (value ? [name] : []));
	expect(raised).toEqual(flag ? [flag] : []);
});
