// Risk: a front end takes a request that is compared by content for another one, or for a key that may not send it.
import { operations } from '@finhook/contracts';
import { expect, test } from 'vitest';
import type { Input } from './api-client.ts';
import { countRows, useApi } from './api-fixture.ts';
import { eventOf, type Ingested, newCompany, postRows, row } from './ingest-client.ts';

const fixture = useApi();
const { ingest } = operations.bank.transactions;
const protocols = ['rest', 'trpc'] as const;

const unnamed = (more: Input = {}): Input => ({
  posted_at: '2026-03-01T14:05:00Z',
  amount_cents: -100,
  currency: 'USD',
  ...more,
});

test.each(protocols)('over %s rows without an external_id are stored once, alone or in a batch', async (protocol) => {
  const company_id = await newCompany(fixture);
  const send = (input: Input) => fixture.client[protocol](ingest, { company_id, match: 'content', ...input });
  const alone = await send(unnamed());
  const [stored] = alone.body.transactions;
  expect(stored?.external_id).toBe(stored?.id);
  const batch = await send({ transactions: [unnamed({ external_id: null }), unnamed({ external_id: '' })] });
  expect(batch.body).toMatchObject({ received: 2, inserted: 1, skipped: 1 });
  expect(batch.body.skipped_transactions).toEqual([
    {
      index: 0,
      external_id: stored?.id,
      connection_id: null,
      reason: 'known',
      existing_id: stored?.id,
      differs: [],
      matched_by: 'text',
    },
  ]);
  expect(await eventOf(fixture, batch)).toMatchObject({ count: 1, received: 2, skipped: 1 });
});

test.each(protocols)('over %s a row needs its external_id in every other request', async (protocol) => {
  const company_id = await newCompany(fixture);
  for (const match of [{}, { match: 'id' }]) {
    for (const [body, pointer] of [
      [unnamed(), '/external_id'],
      [{ transactions: [row('a'), unnamed()] }, '/transactions/1/external_id'],
      [{ transactions: [row('a', { external_id: '' })] }, '/transactions/0/external_id'],
    ] as const) {
      const { status, problem } = await fixture.client[protocol](ingest, { company_id, ...match, ...body });
      expect([status, problem.errors?.map((error) => error.pointer)]).toEqual([422, [pointer]]);
    }
  }
  const unknown = await fixture.client[protocol](ingest, { company_id, match: 'text', ...row('a') });
  expect([unknown.status, unknown.problem.errors?.map((error) => error.pointer)]).toEqual([422, ['/match']]);
  expect(await countRows(fixture, 'bank_transaction', 'company_id = $1', [company_id])).toBe(0);
});

test('with on_error=skip invalid rows are left out, and the others are compared', async () => {
  const company = await newCompany(fixture);
  const transactions = [
    unnamed({ amount_cents: 1.5 }),
    unnamed(),
    'no row',
    unnamed({ connection_id: 'conn_unknown' }),
  ];
  const body = { match: 'content', on_error: 'skip', transactions };
  const response = await postRows(fixture, company, body);
  expect([response.status, response.body.inserted, response.body.failed]).toEqual([200, 1, 3]);
  const again = await postRows(fixture, company, body);
  expect(again.body.skipped_transactions).toMatchObject([{ index: 1, reason: 'known' }]);
});

test('a request that is repeated with its Idempotency-Key returns the first response', async () => {
  const company = await newCompany(fixture);
  const target = `/api/v1/companies/${company}/bank/transactions?match=content`;
  const headers = { 'idempotency-key': 'statement-1' };
  const send = () => fixture.client.send<Ingested['body']>('POST', target, { body: unnamed(), headers });
  const [first, second] = [await send(), await send()];
  expect(second.body).toEqual(first.body);
  expect(second.body.inserted).toBe(1);
});

test('an ingest key compares with the rows of its own connections only, and is told of their currency', async () => {
  const company_id = await newCompany(fixture);
  const key = await fixture.keyOf('ingest');
  const send = (input: Input, as?: string) =>
    fixture.client.rest(ingest, { company_id, match: 'content', ...input }, as === undefined ? {} : { key: as });
  await send(unnamed({ connection_id: 'theirs' }));
  expect((await send(unnamed({ connection_id: 'theirs' }), key)).problem.code).toBe('connection_owned');
  const own = unnamed({ connection_id: 'own' });
  expect((await send(own, key)).body.inserted).toBe(1);
  expect((await send({ ...own, dry_run: true }, key)).body).toMatchObject({ dry_run: true, inserted: 0, skipped: 1 });
  const euros = await send({ ...own, currency: 'EUR', dry_run: true }, key);
  expect(euros.body.warnings).toMatchObject([
    { code: 'currency_changed', pointer: '/currency', stored_currency: 'USD' },
  ]);
  const balance = { company_id, as_of: '2026-03-01', balance_cents: 1, currency: 'EUR', connection_id: 'own' };
  const posted = await fixture.client.rest(operations.cash.balances.upsert, { ...balance, dry_run: true }, { key });
  expect(posted.body.warnings).toMatchObject([{ code: 'currency_changed', stored_currency: 'USD' }]);
});
