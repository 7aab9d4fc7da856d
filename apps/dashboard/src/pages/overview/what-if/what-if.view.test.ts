// Risk: a link to a forecast shows other changes than those it was made with, or a bad link breaks the page.
import { expect, test } from 'vitest';
import { partial } from '../../../test/partial.ts';
import {
  type Change,
  changeText,
  comparedRows,
  type Forecast,
  forecastRows,
  formatChanges,
  parseChanges,
} from './what-if.view.ts';

const hires: Change = { label: 'Two "engineers", & more', amount_cents: -4_500_000, every: 'month', from: '2027-01' };
const round: Change = { label: 'Seed', amount_cents: 100_000_000, every: 'once', from: '2027-03' };

test('changes are the same after a way through the address', () => {
  const changes = [hires, round, { ...hires, until: '2027-06' }];
  expect(parseChanges(formatChanges(changes))).toEqual(changes);
});

test.each([
  '',
  'x',
  '{}',
  '[1]',
  '[["a"]]',
  '[["a","5","month","2027-01"]]',
  '[["a",1.5,"month","2027-01"]]',
  '[["a",5,"year","2027-01"]]',
])('the text %j has no change', (text) => expect(parseChanges(text)).toEqual([]));

test('there are at most five changes', () => {
  expect(parseChanges(formatChanges(Array.from({ length: 6 }, () => hires)))).toHaveLength(5);
});

test('a change is told with its sign and its months', () => {
  expect(changeText(hires, 'USD')).toBe('-$45,000.00 a month from Jan 2027');
  expect(changeText({ ...hires, until: '2027-06' }, 'USD')).toBe('-$45,000.00 a month from Jan 2027 to Jun 2027');
  expect(changeText(round, 'USD')).toBe('+$1,000,000.00 in Mar 2027');
});

const forecast = (cents: number, fields: Partial<Forecast>) =>
  partial<Forecast>({
    currency: 'USD',
    months: [{ month: '2026-11', change_cents: 0, closing_cents: cents }],
    ...fields,
  });

test('the days and the cash are compared; a day to raise that has passed is now', () => {
  const before = forecast(500, { cash_out_date: '2027-02-24', raise_by_date: '2026-08-24' });
  const after = forecast(-700, { cash_out_date: null, raise_by_date: null });
  expect(comparedRows(before, after, '2026-11-25')).toEqual([
    ['Cash-out date', '24 Feb 2027', 'Not in 10 years'],
    ['Raise by (6 months before)', 'Now', 'Not in 10 years'],
    ['Cash at the end of Nov 2026', '$5.00', '-$7.00'],
  ]);
  expect(forecastRows(before, after).map((row) => [row.month, row.before, row.after])).toEqual([
    ['2026-11', 500, -700],
  ]);
});
