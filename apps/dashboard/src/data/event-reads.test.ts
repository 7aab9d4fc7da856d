// Risk: a page that shows old figures because an event does not name the reads that it changed.
import { allEventTypes } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { pathsOf } from './event-reads.ts';

test('a posted balance reads cash and the surface again, and the log as every event does', () => {
  expect([...pathsOf(['bank.balance.updated'])].sort()).toEqual([
    'activity',
    'cash',
    'deliveries',
    'events',
    'financials',
  ]);
});

test('a changed company reads every figure again: they are counted in its zone, its base currency first', () => {
  expect([...pathsOf(['company.updated'])]).toEqual(expect.arrayContaining(['companies', 'cash', 'financials']));
});

test.each(allEventTypes)('%s reads something beyond the log again', (type) => {
  expect(pathsOf([type]).size).toBeGreaterThan(3);
});
