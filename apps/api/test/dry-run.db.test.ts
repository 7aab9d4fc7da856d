// Risk: a request that was meant as a trial stores rows, or leaves a trace that the real one stumbles over.
import { operations } from '@finhook/contracts';
import { expect, test } from 'vitest';
import type { Input } from './api-client.ts';
import { countRows, useApi } from './api-fixture.ts';
import { newCompany, row, storedRows } from './ingest-client.ts';

const fixture = useApi();
const { ingest } = operations.bank.transactions;
const snapshot = operations.financials.snapshots.upsert;
const balance = operations.cash.balances.upsert;
const tables = ['event', 'audit_log', 'idempotency_key', 'cash_balance', 'bank_transaction', 'financial_snapshot'];
const effects = () => Promise.all(tables.map((table) => countRows(fixture, table)));
const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });

test.each(['rest', 'trpc'] as const)(
  'a dry run over %s returns 200 and stores no row, event, audit row or key',
  async (protocol) => {
    const company_id = await newCompany(fixture);
    const before = await effects();
    const rows = [row('a'), row('b', { amount_cents: 'x' })];
    const trial = { company_id, dry_run: true };
    const send = fixture.client[protocol];
    const key = `trial-${protocol}`;
    const responses = [
      await send(ingest, { ...trial, transactions: rows }, withKey(key)),
      await send(balance, { ...trial, ...balance.example }, withKey(key)),
      await send(snapshot, { ...trial, ...snapshot.example }, withKey(key)),
    ];
    for (const { status, body } of responses) expect([status, body]).toMatchObject([200, { dry_run: true }]);
    expect(responses[0]?.body).toMatchObject({ received: 2, inserted: 1, failed: 1, errors: [{ index: 1 }] });
    expect(await effects()).toEqual(before);
    // The key is still free.
    expect((await send(ingest, { company_id, transactions: [row('a')] }, withKey(key))).body).toMatchObject({
      inserted: 1,
    });
  },
);

test('dry_run=false is the request itself, and an unclear value is rejected', async () => {
  const company_id = await newCompany(fixture);
  expect((await fixture.client.rest(ingest, { company_id, ...row('a'), dry_run: false })).status).toBe(201);
  const target = `/api/v1/companies/${company_id}/bank/transactions?dry_run=yes`;
  expect((await fixture.client.send('POST', target, { body: row('b') })).status).toBe(422);
  expect(await storedRows(fixture, company_id)).toBe(1);
});

test('D12: dry_run in the body of a REST request is an error: ignored, it would store the rows', async () => {
  const company_id = await newCompany(fixture);
  const paths: [string, Input][] = [
    ['bank/transactions', row('a')],
    ['cash/balances', balance.example],
    ['financials/snapshots', snapshot.example],
  ];
  for (const [path, body] of paths) {
    const target = `/api/v1/companies/${company_id}/${path}`;
    const response = await fixture.client.send('POST', target, { body: { ...body, dry_run: true } });
    expect([response.status, response.problem.errors]).toMatchObject([422, [{ pointer: '/dry_run' }]]);
  }
  expect(await storedRows(fixture, company_id)).toBe(0);
});
