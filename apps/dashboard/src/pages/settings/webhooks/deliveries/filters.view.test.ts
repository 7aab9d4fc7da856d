// Risk: a pasted id or a time range shows other deliveries than the developer looks for, or none.
import { expect, test } from 'vitest';
import {
  CUSTOM,
  DAY_MS,
  deliveryIn,
  fieldTime,
  filtersOf,
  HOUR_MS,
  idFilter,
  rangeOf,
  searchOfRange,
  searchTime,
  timeOf,
  timeQuery,
} from './filters.view.ts';

test.each([
  ['evt_1', { event_id: 'evt_1' }],
  [' evt_1 ', { event_id: 'evt_1' }],
  ['rpl_1', { replay_id: 'rpl_1' }],
  ['we_1', { endpoint_id: 'we_1' }],
  ['txn_1', { resource_id: 'txn_1' }],
  ['toString_1', { resource_id: 'toString_1' }],
  ['dlv_1', {}],
  ['', {}],
  [undefined, {}],
])('the id %j selects %j', (text, query) => {
  expect(idFilter(text)).toMatchObject({ query });
  expect(idFilter(text).fault).toBeUndefined();
});

test('only the id of a delivery opens one', () => {
  expect([' dlv_1', 'evt_1', 'dlv_', undefined].map(deliveryIn)).toEqual(['dlv_1', undefined, undefined, undefined]);
});

test('a mistyped id or response code is a fault and selects nothing', () => {
  for (const search of [{ id: 'balance of today' }, { response_code: '50' }, { response_code: '600' }])
    expect(filtersOf({ status: 'failed', ...search })).toEqual({ query: {}, fault: expect.stringMatching(/^Enter /) });
});

test('filters have the names of the API, and the id wins over the chosen endpoint', () => {
  const search = { status: 'failed', response_code: '500', event_company: 'co_1', endpoint_id: 'we_1', id: 'we_2' };
  expect(filtersOf(search).query).toMatchObject({
    status: 'failed',
    response_code: 500,
    company_id: 'co_1',
    endpoint_id: 'we_2',
  });
});

const now = Date.parse('2026-11-28T10:15:42.000Z');

test.each([
  [{}, undefined, undefined],
  [{ range: 'hour' }, '2026-11-28T09:15:00.000Z', undefined],
  [{ range: 'week' }, '2026-11-21T10:15:00.000Z', undefined],
  [{ range: 'year' }, undefined, undefined],
  [{ range: 'hour', from: '2026-11-01T00:00:00.000Z' }, '2026-11-01T00:00:00.000Z', undefined],
  [{ from: 'x', to: '2026-11-01T00:00:00.000Z' }, undefined, '2026-11-01T00:00:00.000Z'],
])('the time of %j is %s to %s', (search, created_from, created_to) => {
  expect(timeQuery(timeOf(search, now))).toEqual({ created_from, created_to });
});

test('a custom range starts as the last 24 hours, and a preset ends it', () => {
  const custom = searchOfRange(CUSTOM, now);
  expect(rangeOf(custom)).toBe(CUSTOM);
  const { from = 0, to = 0 } = timeOf(custom, 0);
  expect([to - from, to >= now]).toEqual([DAY_MS, true]);
  expect(rangeOf({ ...custom, ...searchOfRange('hour', now) })).toBe('hour');
  expect(timeOf(searchOfRange('hour', now), now).from).toBeGreaterThanOrEqual(now - HOUR_MS - 60_000);
});

test('times of the URL are shown in the zone of the company', () => {
  expect(fieldTime('2026-11-28T23:30:00.000Z', 'Europe/Berlin')).toBe('2026-11-29T00:30');
  expect(searchTime('2026-11-29T00:30', 'Europe/Berlin')).toBe('2026-11-28T23:30:00.000Z');
  expect([fieldTime(undefined, 'UTC'), fieldTime('soon', 'UTC'), searchTime('', 'UTC')]).toEqual(['', '', undefined]);
});
