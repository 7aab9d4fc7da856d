// Risk: an ingest request stores rows twice, not at all, or others than its response and its event say, or a dry run
// stores them.
import { operations } from '@finhook/contracts';
import { describe, expect, test } from 'vitest';
import type { Input } from './api-client.ts';
import { countRows, useApi } from './api-fixture.ts';
import { eventOf, type Ingested, newCompany, postRows, row, rows, storedRows } from './ingest-client.ts';

const fixture = useApi();
const { ingest } = operations.bank.transactions;
const snapshot = operations.financials.snapshots.upsert;
const balance = operations.cash.balances.upsert;
const protocols = ['rest', 'trpc'] as const;

test('when the response’s first bytes arrive, event, rows and deliveries can be read by another connection', async () => {
  const { client, companyId: company_id } = fixture;
  await client.rest(operations.webhookEndpoints.create, { url: 'http://127.0.0.1:9/hook' });
  const responses = await Promise.all([
    client.rest(balance, { company_id, ...balance.example }),
    client.rest(ingest, { company_id, ...row('first-bytes') }),
    client.rest(snapshot, { company_id, ...snapshot.example }),
  ]);
  for (const { status, body } of responses) {
    expect(status).toBe(201);
    expect(await countRows(fixture, 'event', 'id = $1', [body.event_id])).toBe(1);
    expect(await countRows(fixture, 'delivery', 'event_id = $1', [body.event_id])).toBe(1);
    expect(await countRows(fixture, 'due', 'event_id = $1', [body.event_id])).toBe(1);
  }
  expect(fixture.woken.length).toBeGreaterThan(0);
});

test('a single object is a batch of one, and one of a future day is stored with a warning', async () => {
  const company = await newCompany(fixture);
  const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
  const response = await postRows(fixture, company, row('only', { posted_at: inDays(1) }));
  expect([response.status, response.body.received, response.body.warnings]).toEqual([201, 1, []]);
  const soon = await postRows(fixture, company, { transactions: [row('soon', { posted_at: inDays(30) })] });
  expect(soon.body.warnings).toMatchObject([{ code: 'future_date', pointer: '/transactions/0/posted_at' }]);
});

test('501 rows are 413 before validation, and nothing is stored', async () => {
  const company = await newCompany(fixture);
  const before = await countRows(fixture, 'event');
  for (const transactions of [rows(501), Array.from({ length: 501 }, () => null)]) {
    for (const more of [{}, { on_error: 'skip' }]) {
      const { status, problem } = await postRows(fixture, company, { transactions, ...more });
      expect([status, problem]).toMatchObject([413, { code: 'batch_too_large', limit: 500, received: 501 }]);
    }
  }
  expect([await storedRows(fixture, company), await countRows(fixture, 'event')]).toEqual([0, before]);
});

describe('faulty rows', () => {
  const faulty = [
    row('ok-1'),
    row('bad-amount', { amount_cents: 12.5 }),
    row('bad-two', { amount_cents: '5', posted_at: '2026-03-01' }),
    row('bad-date', { posted_at: '1960-01-01T00:00:00Z' }),
    row('bad-connection', { connection_id: 'conn_unknown' }),
    'no row',
    row('ok-2'),
    row('ok-1'),
  ];
  const errors = [
    [1, '/transactions/1/amount_cents', 'not_an_integer'],
    [2, '/transactions/2/amount_cents', 'invalid_type'],
    [2, '/transactions/2/posted_at', 'timezone_required'],
    [3, '/transactions/3/posted_at', 'date_out_of_range'],
    [4, '/transactions/4/connection_id', 'connection_not_found'],
    [5, '/transactions/5', 'invalid_type'],
  ];

  test('one invalid row rejects the request with the errors of all rows, and nothing is stored', async () => {
    const company = await newCompany(fixture);
    const tables = ['bank_transaction', 'event', 'audit_log', 'delivery'];
    const before = await Promise.all(tables.map((table) => countRows(fixture, table)));
    const response = await postRows(fixture, company, { transactions: faulty });
    expect(response.status).toBe(422);
    const seen = response.problem.errors?.map(({ pointer, code }) => [Number(pointer.split('/')[2]), pointer, code]);
    expect(seen).toHaveLength(errors.length);
    expect(seen).toEqual(expect.arrayContaining(errors));
    expect(seen?.map(([index]) => index)).toEqual(errors.map(([index]) => index));
    expect(await Promise.all(tables.map((table) => countRows(fixture, table)))).toEqual(before);
  });

  test('on_error=skip stores the valid rows and returns 200 with the others; inserted + skipped + failed = received', async () => {
    const company = await newCompany(fixture);
    const response = await postRows(fixture, company, { transactions: faulty, on_error: 'skip' });
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ received: 8, inserted: 2, skipped: 1, failed: 5, count: 2 });
    expect(response.body.errors.map(({ index, pointer, code }) => [index, pointer, code])).toEqual(
      expect.arrayContaining(errors),
    );
    expect(response.body.errors.map(({ index }) => index)).toEqual(errors.map(([index]) => index));
    expect(response.body.transactions.map(({ external_id }) => external_id)).toEqual(['ok-1', 'ok-2']);
    expect(response.body.skipped_transactions).toMatchObject([{ index: 7, external_id: 'ok-1' }]);
    expect(await eventOf(fixture, response)).toMatchObject({ count: 2, received: 8, skipped: 1 });
    expect(await storedRows(fixture, company)).toBe(2);
  });

  test('on_error in the body of a REST request does not make a batch non-atomic', async () => {
    const company = await newCompany(fixture);
    const body = { transactions: [row('a'), {}], on_error: 'skip' };
    const target = `/api/v1/companies/${company}/bank/transactions`;
    expect((await fixture.client.send('POST', target, { body })).status).toBe(422);
    expect(await storedRows(fixture, company)).toBe(0);
    const good = { ...body, transactions: [row('a')] };
    const stored = await fixture.client.send<Ingested['body']>('POST', target, { body: good });
    expect(stored.body.warnings).toMatchObject([{ code: 'unknown_field', pointer: '/on_error' }]);
  });

  test('at most a hundred errors are listed, and the response says that there are more', async () => {
    const company = await newCompany(fixture);
    const response = await postRows(fixture, company, { transactions: Array.from({ length: 150 }, () => ({})) });
    expect(response.problem.errors).toHaveLength(100);
    expect(response.problem.errors_truncated).toBe(true);
  });
});

test('unknown fields are accepted, not stored, and named in the response, also where the verb rejects the rows', async () => {
  const company = await newCompany(fixture);
  const transactions = [row('a', { conection_id: 'typo' })];
  const { status, body } = await postRows(fixture, company, { transactions, extra: { a: 1 } });
  expect([status, body.warnings.map(({ code, pointer }) => [code, pointer])]).toEqual([
    201,
    [
      ['unknown_field', '/transactions/0/conection_id'],
      ['unknown_field', '/extra'],
    ],
  ]);
  expect(body.transactions[0]).not.toHaveProperty('conection_id');
  const { amount_cents: amount, ...others } = row('b');
  const rejected = await postRows(fixture, company, { transactions: [{ ...others, amount }] });
  expect(rejected.problem).toMatchObject({
    errors: [{ pointer: '/transactions/0/amount_cents', code: 'required' }],
    warnings: [{ pointer: '/transactions/0/amount', message: expect.stringContaining('Did you mean amount_cents?') }],
  });
});

const unnamed = (more: Input = {}): Input => ({
  posted_at: '2026-03-01T14:05:00Z',
  amount_cents: -100,
  currency: 'USD',
  ...more,
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

test('an ingest key compares with the rows of its own connections only, and gets their currency in the error', async () => {
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
  const euro = { company_id, as_of: '2026-03-01', balance_cents: 1, currency: 'EUR', connection_id: 'own' };
  const posted = await fixture.client.rest(balance, { ...euro, dry_run: true }, { key });
  expect(posted.body.warnings).toMatchObject([{ code: 'currency_changed', stored_currency: 'USD' }]);
});

const ownTables = ['idempotency_key', 'series_owner', 'cash_balance', 'bank_transaction', 'financial_snapshot'];
const tables = ['event', 'audit_log', ...ownTables];
const effects = () => Promise.all(tables.map((table) => countRows(fixture, table)));
const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });

test.each(protocols)('a dry run over %s returns 200 and stores no row, event, audit row or key', async (protocol) => {
  const company_id = await newCompany(fixture);
  const ingestKey = await fixture.keyOf('ingest');
  const before = await effects();
  const trial = { company_id, dry_run: true };
  const send = fixture.client[protocol];
  const key = `trial-${protocol}`;
  // Ingest keys own the series that they post to, human keys do not.
  for (const options of [withKey(key), { ...withKey(key), key: ingestKey }]) {
    const responses = [
      await send(ingest, { ...trial, transactions: [row('a'), row('b', { amount_cents: 'x' })] }, options),
      await send(balance, { ...trial, ...balance.example }, options),
      await send(snapshot, { ...trial, ...snapshot.example }, options),
    ];
    for (const { status, body } of responses) expect([status, body]).toMatchObject([200, { dry_run: true }]);
    expect(responses[0]?.body).toMatchObject({ received: 2, inserted: 1, failed: 1, errors: [{ index: 1 }] });
  }
  expect(await effects()).toEqual(before);
  // The dry runs did not use up the Idempotency-Key.
  expect((await send(ingest, { company_id, transactions: [row('a')] }, withKey(key))).body).toMatchObject({
    inserted: 1,
  });
});

test('dry_run in the body of a REST request is an error: ignored, it would store the rows', async () => {
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
