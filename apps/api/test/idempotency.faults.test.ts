// Risk: the key of a request whose process was killed stays blocked for a minute.
import { operations } from '@finhook/contracts';
import { withClient } from '@finhook/testing';
import { expect, test, vi } from 'vitest';
import { createApiClient } from './api-client.ts';
import { countRows, useApi } from './api-fixture.ts';
import { startApiProcess } from './api-process.ts';

const fixture = useApi();
const patience = { timeout: 15_000, interval: 50 };

const ofService = "datname = current_database() AND application_name = 'finhook'";

/** Posts while the company is locked, lets `interrupt` end the request in its transaction, and repeats it. */
async function interruptPost(key: string, post: () => Promise<unknown>, interrupt: () => Promise<unknown>) {
  await withClient(fixture.databaseUrl, async (holder) => {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM company WHERE id = $1 FOR UPDATE', [fixture.companyId]);
    const outcome = post();
    await vi.waitFor(async () => {
      const { rowCount } = await holder.query(
        `SELECT FROM pg_stat_activity WHERE ${ofService} AND wait_event_type = 'Lock'`,
      );
      expect(rowCount).toBeGreaterThan(0);
    }, patience);
    expect(await countRows(fixture, 'idempotency_key', 'key = $1 AND outcome IS NULL', [key])).toBe(1);
    await interrupt();
    await outcome;
    await holder.query('ROLLBACK');
  });
}

const balance = (connectionId: string) => ({
  company_id: fixture.companyId,
  as_of: '2026-01-05',
  balance_cents: 7,
  currency: 'USD',
  connection_id: connectionId,
});

async function expectStoredOnce(key: string): Promise<void> {
  await vi.waitFor(async () => {
    const headers = { 'idempotency-key': key };
    const repeated = await fixture.client.rest(operations.cash.balances.upsert, balance(key), { headers });
    expect([repeated.status, repeated.text]).toEqual([201, expect.any(String)]);
  }, patience);
  expect(await countRows(fixture, 'cash_balance', 'connection_id = $1', [key])).toBe(1);
}

test('a key is free when the process of its request was killed', async () => {
  const killed = await startApiProcess(fixture.databaseUrl);
  const client = createApiClient(killed.url, fixture.apiKey);
  const headers = { 'idempotency-key': 'killed' };
  const post = () =>
    client.rest(operations.cash.balances.upsert, balance('killed'), { headers }).then(
      () => expect.unreachable('The process was killed.'),
      () => undefined,
    );
  await interruptPost('killed', post, () => killed.kill());
  await expectStoredOnce('killed');
});
