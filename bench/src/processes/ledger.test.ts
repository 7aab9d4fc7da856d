// Risk: a repeated delivery counts twice and hides a lost one.
import { expect, test } from 'vitest';
import { createLedger } from './ledger.ts';

const arrival = { path: '/ok/1', deliveryId: 'dlv_1', eventId: 'evt_1', at: 100 };

test('counts requests, and each delivery once', () => {
  const ledger = createLedger();
  ledger.note({ ...arrival, at: 100 });
  ledger.note({ ...arrival, at: 120 });
  ledger.note({ ...arrival, deliveryId: 'dlv_2', at: 150 });
  ledger.note({ ...arrival, deliveryId: undefined, eventId: undefined, at: 160 });
  expect(ledger.report()).toEqual({ received: 4, distinct: 2, firstAt: 100, lastAt: 160 });
});

test('keeps times only when asked, and forgets them on reset', () => {
  const ledger = createLedger();
  ledger.reset(true);
  ledger.note(arrival);
  expect(ledger.receipts()).toEqual([['evt_1', '/ok/1', 100]]);
  ledger.reset(false);
  ledger.note(arrival);
  expect(ledger.report()).toEqual({ received: 1, distinct: 1, firstAt: 100, lastAt: 100 });
  expect(ledger.receipts()).toEqual([]);
});
