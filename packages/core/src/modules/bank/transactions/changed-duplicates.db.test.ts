// Risk: data quality reports a difference that is settled, or two requests deadlock.
import type { BankTransactionInput } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { useRawClient, waitForBlocked } from '../../../../test/raw-client.ts';
import { createCompany } from '../../companies/create.ts';
import { getDataQuality } from '../../financials/figures/data-quality.ts';
import { ingestTransactions } from './ingest.ts';

const fixture = useFixture(createTestClock('2026-11-25T15:00:00.000Z'));
const raw = useRawClient(fixture);
const { context } = fixture;
let company_id: string;
beforeEach(async () => {
  company_id = (await createCompany(context, { name: 'Again Inc', timezone: 'UTC', base_currency: 'USD' })).id;
});

const row = (external_id: string, amount_cents: number): BankTransactionInput => ({
  external_id,
  posted_at: '2026-10-10T12:00:00Z',
  amount_cents,
  connection_id: 'c1',
});
const send = (transactions: BankTransactionInput[], on_duplicate: 'skip' | 'update' = 'skip') =>
  ingestTransactions(context, { company_id, transactions, on_duplicate });
const findings = async () => (await getDataQuality(context, { company_id })).changed_duplicates.count;

test('a row that gets the sent content by a concurrent update is not reported; another difference still is', async () => {
  await send([row('t1', -100), row('t2', -100)]);
  await raw.query('BEGIN');
  await raw.query("UPDATE bank_transaction SET amount_cents = -120 WHERE external_id IN ('t1', 't2')");
  const waiting = send([row('t1', -120), row('t2', -130)]);
  await waitForBlocked(raw, 1);
  await raw.query('COMMIT');
  expect(await waiting).toMatchObject({ inserted: 0, skipped: 2 });
  expect(await findings()).toBe(1);
});

test('concurrent requests that skip and update the same rows, in any order, all succeed, and stored content is not reported', async () => {
  const ids = Array.from({ length: 40 }, (_, i) => `t${i}`);
  await send(ids.map((id) => row(id, -100)));
  const orders = [ids, ids.toReversed(), [...ids.slice(20), ...ids.slice(0, 20)]];
  await Promise.all(
    orders.flatMap((order) => [
      send(order.map((id) => row(id, -120))),
      send(
        order.map((id) => row(id, -120)),
        'update',
      ),
    ]),
  );
  expect(await findings()).toBe(0);
});
