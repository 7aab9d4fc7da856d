// Risk: a row of the deliveries names another record than the one that its event is about.
import { expect, test } from 'vitest';
import { batchName, recordText } from './record.view.ts';

const named = (id: string) => (id === 'conn_1' ? 'Mercury · Operating' : undefined);

test.each([
  [{ id: 'bal_1', connection_id: 'conn_1', as_of: '2026-11-26' }, 'Balance · Mercury · Operating · 26 Nov'],
  [{ id: 'bal_1', connection_id: 'operating', as_of: '2026-11-26' }, 'Balance · operating · 26 Nov'],
  [{ id: 'fin_1', connection_id: null, period_end: '2026-10-31' }, 'Statement · 31 Oct'],
  [{ id: 'fil_1', title: 'Form 941', due_date: '2026-10-31' }, 'Filing · Form 941 · 31 Oct'],
  [{ id: 'co_1', name: 'Acme' }, 'Company · Acme'],
  [{ id: 'toString_1', name: 'Odd' }, 'Odd'],
  [{ object: 'x' }, undefined],
  [null, undefined],
])('%j is %s', (data, text) => {
  expect(recordText(data, named)).toBe(text);
});

test('an event with many records is not read for its name', () => {
  expect(batchName('bank.transaction.posted')).toBe('Transactions');
  expect([batchName('bank.balance.updated'), batchName('toString')]).toEqual([undefined, undefined]);
});
