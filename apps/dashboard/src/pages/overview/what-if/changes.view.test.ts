// Risk: a link to a forecast shows other changes than those it was made with, or a bad link breaks the page.
import { expect, test } from 'vitest';
import { type Change, formatChanges, parseChanges } from './changes.view.ts';

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
