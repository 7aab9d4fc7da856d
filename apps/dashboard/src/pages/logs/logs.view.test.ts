// Risk: the log omits rows that its filters select, misreads delivery results, or hides changed fields.
import { expect, test } from 'vitest';
import { partial } from '../../test/partial.ts';
import {
  aroundRow,
  cellText,
  changedFields,
  deliveryText,
  type LogRow,
  logFilters,
  refetchDelay,
  sumOf,
} from './logs.view.ts';

const none = { total: 0, succeeded: 0, pending: 0, failed: 0, cancelled: 0 };

test('days of the filters are those of the zone, and the last one is included', () => {
  const filters = logFilters({ from: '2026-03-01', to: '2026-03-31', log_company: 'co_1' }, 'America/New_York');
  expect(filters).toMatchObject({
    created_from: '2026-03-01T05:00:00.000Z',
    created_to: '2026-04-01T04:00:00.000Z',
    company_id: 'co_1',
  });
});

test('an invalid day is sent unchanged, and the service rejects it', () => {
  expect(logFilters({ from: 'yesterday' }, 'UTC')['created_from']).toBe('yesterday');
});

test.each([
  [{ ...none }, 'No endpoints', 'neutral'],
  [{ ...none, total: 3, succeeded: 3 }, '3/3 delivered', 'good'],
  [{ ...none, total: 3, succeeded: 1, pending: 2 }, '1/3 delivered, 2 pending', 'info'],
  [{ ...none, total: 4, succeeded: 1, pending: 1, failed: 2 }, '1/4 delivered, 2 failed, 1 pending', 'bad'],
  [{ ...none, total: 2, succeeded: 1, cancelled: 1 }, '1/2 delivered, 1 cancelled', 'neutral'],
])('%j reads "%s"', (sum, text, tone) => {
  expect(deliveryText(sum)).toEqual({ text, tone });
});

test('deliveries of all events of a row are counted together', () => {
  const event = (id: string) => ({
    id,
    type: 'bank.connected',
    deliveries: { ...none, total: 2, succeeded: 1, failed: 1 },
  });
  expect(sumOf([event('evt_1'), event('evt_2')])).toEqual({ ...none, total: 4, succeeded: 2, failed: 2 });
});

test('a change names the fields that differ, without `updated_at`', () => {
  const before = { name: 'Old', tags: ['a'], kept: 1, gone: true, updated_at: '1' };
  const after = { name: 'New', tags: ['a', 'b'], kept: 1, added: null, updated_at: '2' };
  expect(changedFields(before, after)).toEqual([
    { field: 'name', before: 'Old', after: 'New' },
    { field: 'tags', before: ['a'], after: ['a', 'b'] },
    { field: 'gone', before: true, after: undefined },
    { field: 'added', before: undefined, after: null },
  ]);
  expect(changedFields(null, after)).toEqual([]);
  expect(changedFields('text', ['list'])).toEqual([]);
});

test('a cell distinguishes text, no value and JSON', () => {
  expect([null, undefined, '', '0', 0, ['a']].map(cellText)).toEqual(['–', '–', '', '0', '0', '["a"]']);
});

test('the id of a row contains its time', () => {
  // 2026-03-01T09:30:00.000Z as it is encoded in ids.
  const window = aroundRow('aud_01kjm6gz6000000000000000aa');
  expect(Date.parse(window?.created_to ?? '') - Date.parse(window?.created_from ?? '')).toBe(4_000);
  expect(window?.created_to.slice(0, 4)).toBe('2026');
  expect(aroundRow('evt_01kjm6gz6000000000000000aa')).toBeUndefined();
  expect(aroundRow('aud_zzzzzzzzzz0000000000000000')).toBeUndefined();
  expect(aroundRow('aud_')).toBeUndefined();
});

test('pending deliveries are polled often for a limited time', () => {
  const at = '2026-03-01T09:30:00.000Z';
  const now = Date.parse(at);
  const row = (pending: number) =>
    partial<LogRow>({ created_at: at, events: [{ deliveries: { ...none, total: 1, pending } }] });
  const [busy, calm] = [refetchDelay([row(1)], now), refetchDelay([row(0)], now)];
  expect(busy).toBeLessThan(calm);
  expect(refetchDelay([row(1)], now + 3_600_000)).toBe(calm);
});
