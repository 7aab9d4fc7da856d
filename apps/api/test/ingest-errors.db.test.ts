// Risk: a faulty row is stored, takes good rows down with it, or is reported at another pointer.
import { operations } from '@finhook/contracts';
import { describe, expect, test } from 'vitest';
import { countRows, useApi } from './api-fixture.ts';
import { eventOf, type Ingested, newCompany, postRows, row, storedRows } from './ingest-client.ts';

const fixture = useApi();

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

  test('C10: D25: one bad row rejects the request with the errors of all rows, and nothing is left behind', async () => {
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

  test('C11: D25: on_error=skip stores the good rows and returns 200 with the others; inserted + skipped + failed = received', async () => {
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

  test('D26: on_error=skip without a bad row returns 201 as every post that inserts', async () => {
    const company = await newCompany(fixture);
    const response = await postRows(fixture, company, { transactions: [row('a')], on_error: 'skip' });
    expect([response.status, response.body.inserted, response.body.failed]).toEqual([201, 1, 0]);
  });

  test('C11: on_error=skip with nothing but bad rows is an accepted request that inserts nothing', async () => {
    const company = await newCompany(fixture);
    const response = await postRows(fixture, company, { transactions: [{}, 5], on_error: 'skip' });
    expect([response.status, response.body.failed, response.body.inserted]).toEqual([200, 2, 0]);
    expect(await eventOf(fixture, response)).toMatchObject({ count: 0, transactions: [] });
  });

  test('C11: D25: a single row is a batch of one, whether its error is one of form or of the domain', async () => {
    const company = await newCompany(fixture);
    const alone = [
      { ...row('a'), amount_cents: 1.5 },
      { ...row('b'), posted_at: '1960-01-01T00:00:00Z' },
      { ...row('c'), connection_id: 'conn_unknown' },
    ];
    for (const body of alone) {
      const skipping = await postRows(fixture, company, { ...body, on_error: 'skip' });
      expect([skipping.status, skipping.body.received, skipping.body.failed]).toEqual([200, 1, 1]);
      const atomic = await postRows(fixture, company, body);
      expect([atomic.status, atomic.problem.code]).toEqual([422, 'validation_failed']);
      const places = skipping.body.errors.map(({ pointer, code }) => [pointer, code]);
      expect(atomic.problem.errors?.map(({ pointer, code }) => [pointer, code])).toEqual(places);
    }
    expect(await storedRows(fixture, company)).toBe(0);
  });

  test('C10: on_error in the body of a REST request does not switch off that a batch is atomic', async () => {
    const company = await newCompany(fixture);
    const body = { transactions: [row('a'), {}], on_error: 'skip' };
    const target = `/api/v1/companies/${company}/bank/transactions`;
    expect((await fixture.client.send('POST', target, { body })).status).toBe(422);
    expect(await storedRows(fixture, company)).toBe(0);
    const good = { ...body, transactions: [row('a')] };
    const stored = await fixture.client.send<Ingested['body']>('POST', target, { body: good });
    expect(stored.body.warnings).toMatchObject([{ code: 'unknown_field', pointer: '/on_error' }]);
  });

  test('C11: on_error=skip holds for a rounded number of one row', async () => {
    const company = await newCompany(fixture);
    const raw = `{"transactions":[${JSON.stringify(row('a'))},${JSON.stringify(row('b')).replace('-100', '9007199254740993')}]}`;
    const target = `/api/v1/companies/${company}/bank/transactions?on_error=skip`;
    const response = await fixture.client.send<Ingested['body']>('POST', target, { raw });
    expect([response.status, response.body.inserted, response.body.failed]).toEqual([200, 1, 1]);
    expect(response.body.errors).toMatchObject([
      { index: 1, pointer: '/transactions/1/amount_cents', code: 'out_of_range' },
    ]);
  });

  test('D5: at most a hundred errors are listed, and the response says that there are more', async () => {
    const company = await newCompany(fixture);
    const response = await postRows(fixture, company, { transactions: Array.from({ length: 150 }, () => ({})) });
    expect(response.problem.errors).toHaveLength(100);
    expect(response.problem.errors_truncated).toBe(true);
  });
});

test('C38: a key that stands twice is rejected and nothing is stored', async () => {
  const company = await newCompany(fixture);
  const raw = `{"external_id":"a","posted_at":"2026-03-01T00:00:00Z","amount_cents":1,"amount_cents":2}`;
  const response = await fixture.client.send('POST', `/api/v1/companies/${company}/bank/transactions`, { raw });
  expect([response.status, response.problem.code, response.problem['pointer']]).toEqual([
    400,
    'duplicate_json_key',
    '/amount_cents',
  ]);
  expect(await storedRows(fixture, company)).toBe(0);
});

test('D12: unknown fields are accepted, not stored, and named in the response', async () => {
  const company = await newCompany(fixture);
  const response = await postRows(fixture, company, {
    transactions: [row('a', { conection_id: 'typo' })],
    extra: { a: 1 },
  });
  expect(response.status).toBe(201);
  expect(response.body.warnings.map(({ code, pointer }) => [code, pointer])).toEqual([
    ['unknown_field', '/transactions/0/conection_id'],
    ['unknown_field', '/extra'],
  ]);
  expect(response.body.transactions[0]).not.toHaveProperty('conection_id');
  // D-5: also where the verb rejects the rows.
  const { amount_cents: amount, ...others } = row('b');
  const rejected = await postRows(fixture, company, { transactions: [{ ...others, amount }] });
  expect(rejected.problem).toMatchObject({
    errors: [{ pointer: '/transactions/0/amount_cents', code: 'required' }],
    warnings: [{ pointer: '/transactions/0/amount', message: expect.stringContaining('Did you mean amount_cents?') }],
  });
  const balance = await fixture.client.rest(operations.cash.balances.upsert, {
    company_id: company,
    as_of: '2026-03-01',
    balance_cents: 1,
    currency: 'USD',
    note: 'x',
  });
  expect(balance.body.warnings).toMatchObject([{ code: 'unknown_field', pointer: '/note' }]);
  const created = await fixture.client.rest(operations.companies.create, { name: 'X', nmae: 'typo' });
  expect(created.body.warnings).toMatchObject([{ code: 'unknown_field', pointer: '/nmae' }]);
  // A number that would be rounded is no error where it is not kept.
  const raw = `{"external_id":"b","posted_at":"2026-03-01T00:00:00Z","amount_cents":1,"provider_id":12345678901234567890}`;
  const kept = await fixture.client.send<Ingested['body']>('POST', `/api/v1/companies/${company}/bank/transactions`, {
    raw,
  });
  expect([kept.status, kept.body.warnings[0]?.pointer]).toEqual([201, '/provider_id']);
});

test('S1: D12: a body cannot speak for another company than its path, and is told so', async () => {
  const [company, other] = [await newCompany(fixture), await newCompany(fixture)];
  const body = { ...row('a'), company_id: other };
  const response = await fixture.client.send<Ingested['body']>(
    'POST',
    `/api/v1/companies/${company}/bank/transactions`,
    {
      body,
    },
  );
  expect([response.status, response.body.company_id]).toEqual([201, company]);
  expect(response.body.warnings).toMatchObject([{ code: 'unknown_field', pointer: '/company_id' }]);
  expect([await storedRows(fixture, company), await storedRows(fixture, other)]).toEqual([1, 0]);
});
