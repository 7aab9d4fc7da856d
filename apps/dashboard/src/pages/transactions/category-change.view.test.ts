// Risk: the message about a change of categories names another change, or another number of transactions.
import { expect, test } from 'vitest';
import { changeText, countWithRule } from './category-change.view.ts';

test.each([
  [{ count: 1, from: 'office', to: 'software' }, 'Category changed from office to software.'],
  [{ count: 1, from: null, to: 'software' }, 'Category changed from none to software.'],
  [{ count: 1, from: 'office', to: null }, 'Category changed from office to none.'],
  [{ count: 3, from: 'office', to: 'software' }, 'Category of 3 transactions changed from office to software.'],
  [{ count: 2, to: 'software' }, 'Category of 2 transactions changed to software.'],
  [
    { count: 2, from: 'office', to: 'software', rule: 'Anthropic' },
    'Rule for “Anthropic” saved. Category of 2 transactions changed from office to software.',
  ],
  [{ count: 0, to: 'software', rule: 'Anthropic' }, 'Rule for “Anthropic” saved. No category changed.'],
])('%j', (change, text) => {
  expect(changeText(change)).toBe(text);
});

test.each([
  [{ changed: 1, earlier: 4, later: 7 }, 3],
  // Somebody took the category from others meanwhile.
  [{ changed: 1, earlier: 4, later: 3 }, 1],
  [{ changed: 2, earlier: 4, later: 5 }, 2],
  [{ changed: 2, earlier: undefined, later: 5 }, 2],
  [{ changed: 2, earlier: 4, later: undefined }, 2],
])('a count with a rule is never below what the service has changed: %j', (counts, count) => {
  expect(countWithRule(counts)).toBe(count);
});
