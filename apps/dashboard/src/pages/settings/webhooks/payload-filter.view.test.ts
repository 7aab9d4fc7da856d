// Risk: opening a filter in the builder and saving it changes the events that it selects.
import { expect, test } from 'vitest';
import { describeFilter, draftFilter, fieldsOf, newCondition, readFilter } from './payload-filter.view.ts';

const eq = { op: 'eq', field: 'data.currency', value: 'USD' };

test.each([
  [eq],
  [{ op: 'in', field: 'type', value: ['a', 'b'] }],
  [{ op: 'in', field: 'data.n', value: [1, 2.5] }],
  [{ op: 'in', field: 'data.n', value: [true] }],
  [{ op: 'gte', field: 'data.n', value: -5 }],
  [{ op: 'exists', field: 'data.n', value: false }],
  [{ op: 'eq', field: 'data.n', value: null }],
  [{ op: 'eq', field: 'data.n', value: '5' }],
  [{ op: 'any', of: [eq, { op: 'ne', field: 'data.a', value: true }] }],
])('%j opens in the builder and is read back unchanged', (filter) => {
  const draft = draftFilter(filter);
  expect(draft.mode).toBe('builder');
  expect(readFilter(draft)).toEqual({ value: filter });
});

test.each([
  [{ op: 'not', of: eq }],
  [{ op: 'all', of: [eq, { op: 'any', of: [eq, eq] }] }],
  [{ op: 'all', of: [eq] }],
  [{ op: 'in', field: 'type', value: ['a,b'] }],
  [{ op: 'in', field: 'type', value: [' a', 'b'] }],
  [{ op: 'in', field: 'type', value: ['a', 1] }],
  [{ op: 'in', field: 'type', value: [true, false] }],
])('%j exceeds the builder and stays JSON unchanged', (filter) => {
  const draft = draftFilter(filter);
  expect(draft.mode).toBe('json');
  expect(readFilter(draft)).toEqual({ value: filter });
});

test('numbers beyond a double, empty builders and invalid JSON are rejected', () => {
  const draft = draftFilter(null);
  const typed = (text: string) => ({
    ...draft,
    mode: 'builder' as const,
    conditions: [newCondition({ op: 'gt', field: 'data.n', kind: 'number', text })],
  });
  expect(readFilter(typed(' 1500 '))).toEqual({ value: { op: 'gt', field: 'data.n', value: 1500 } });
  for (const text of ['', 'x', '9007199254740993', '0.12345678901234567891', 'Infinity']) {
    expect(readFilter(typed(text))).toHaveProperty('fault');
  }
  expect(readFilter({ ...draft, mode: 'builder', conditions: [] })).toHaveProperty('fault');
  for (const json of ['', '[]', '{"op": ', 'null', '{"op": "eq", "field": "data.n", "value": 1234567890123456789}'])
    expect(readFilter({ ...draft, mode: 'json', json })).toHaveProperty('fault');
  expect(readFilter(draft)).toEqual({ value: null });
});

test('filters are described in words', () => {
  const filter = {
    op: 'all',
    of: [eq, { op: 'not', of: { op: 'any', of: [eq, { op: 'exists', field: 'data.a', value: true }] } }],
  };
  expect(describeFilter(filter)).toBe(
    'data.currency is "USD" and (not (data.currency is "USD" or data.a has a value))',
  );
});

test('fields are found in samples, through lists', () => {
  expect(fieldsOf([{ data: { id: 'x', lines: [{ amount: 1 }] } }, null])).toEqual([
    'company_id',
    'created_at',
    'data.id',
    'data.lines.amount',
    'type',
  ]);
});
