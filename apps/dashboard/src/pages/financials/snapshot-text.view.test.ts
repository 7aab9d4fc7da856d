// Risk: the invented figures of an example are stored in a company's books and sent to its webhooks.
import { expect, test } from 'vitest';
import { hasExampleFigures, snapshotText } from './snapshot-text.view.ts';

function exampleOf(type: 'income' | 'balance' | 'cashflow'): { line_items: { amount_cents: number; label: string }[] } {
  return JSON.parse(snapshotText(type, 'USD'));
}

test.each(['income', 'balance', 'cashflow'] as const)('an example of type %s is known by its figures alone', (type) => {
  const example = exampleOf(type);
  expect(hasExampleFigures(example)).toBe(true);
  expect(hasExampleFigures({ ...example, currency: 'EUR', period_end: '2026-10-31', source: 'books' })).toBe(true);
  const [first, ...rest] = example.line_items;
  expect(hasExampleFigures({ line_items: [{ ...first, label: 'Ours' }, ...rest] })).toBe(true);
  expect(hasExampleFigures({ line_items: [{ ...first, amount_cents: 1 }, ...rest] })).toBe(false);
  expect(hasExampleFigures({ line_items: rest })).toBe(false);
});

test.each([{}, { line_items: null }, { line_items: [] }, { line_items: [null, 1] }])('%j is no example', (body) => {
  expect(hasExampleFigures(body)).toBe(false);
});
