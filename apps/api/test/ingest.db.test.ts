// Risk: an ingest request stores rows twice, not at all, or others than its response and its event say.
import { operations } from '@finhook/contracts';
import { describe, expect, test } from 'vitest';
import { countRows, useApi } from './api-fixture.ts';
import { eventOf, newCompany, postRows, row, rows, storedRows } from './ingest-client.ts';

const fixture = useApi();

test('D26: the response tells row by row what happened, and the event carries the same rows', async () => {
  const company = await newCompany(fixture);
  const response = await postRows(fixture, company, {
    transactions: [row('a', { connection_id: 'c1', currency: 'eur', source: 'bank' }), row('b')],
  });
  expect(response.status).toBe(201);
  expect(response.body).toMatchObject({
    object: 'transaction_ingest',
    company_id: company,
    received: 2,
    inserted: 2,
    skipped: 0,
    failed: 0,
    count: 2,
    skipped_transactions: [],
    errors: [],
    warnings: [],
  });
  expect(response.body.transactions[0]).toMatchObject({
    external_id: 'a',
    posted_at: '2026-03-01T14:05:00.000Z',
    amount_cents: -100,
    currency: 'EUR',
    currency_inferred: false,
    description: '',
    category: null,
    counterparty: null,
    connection_id: 'c1',
    source: 'bank',
  });
  expect(response.body.transactions[1]).toMatchObject({ currency: 'USD', currency_inferred: true, source: 'api' });
  expect(await eventOf(fixture, response)).toMatchObject({
    count: 2,
    received: 2,
    skipped: 0,
    transactions: response.body.transactions,
  });
});

test('D23: a single object is a batch of one', async () => {
  const company = await newCompany(fixture);
  const response = await postRows(fixture, company, row('only'));
  expect([response.status, response.body.received, response.body.inserted]).toEqual([201, 1, 1]);
});

test('D27: a known row is skipped, nothing is changed, and every difference is named', async () => {
  const company = await newCompany(fixture);
  const first = await postRows(fixture, company, row('a', { description: 'Coffee', currency: 'USD' }));
  const again = await postRows(fixture, company, {
    transactions: [row('a', { amount_cents: -999, description: 'Tea', currency: 'EUR' })],
  });
  expect([again.status, again.body.inserted, again.body.skipped]).toEqual([200, 0, 1]);
  expect(again.body.skipped_transactions).toEqual([
    {
      index: 0,
      external_id: 'a',
      connection_id: null,
      reason: 'duplicate',
      existing_id: first.body.transactions[0]?.id,
      differs: ['amount_cents', 'description', 'currency'],
    },
  ]);
  expect(again.body.warnings).toMatchObject([{ code: 'duplicate_with_different_content', pointer: '/transactions/0' }]);
  expect(await eventOf(fixture, again)).toMatchObject({ count: 0, transactions: [], received: 1, skipped: 1 });
  const kept = await fixture.client.rest(operations.bank.transactions.get, {
    company_id: company,
    transaction_id: first.body.transactions[0]?.id,
  });
  expect(kept.body).toMatchObject({ amount_cents: -100, description: 'Coffee', currency: 'USD' });
});

test('D36: a date far ahead or before 1970 is rejected, a near future one is stored with a warning', async () => {
  const company = await newCompany(fixture);
  const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
  for (const posted_at of [inDays(368), '1969-12-31T23:59:59Z']) {
    const response = await postRows(fixture, company, row('x', { posted_at }));
    expect([response.status, response.problem.errors?.[0]]).toMatchObject([
      422,
      { pointer: '/posted_at', code: 'date_out_of_range' },
    ]);
  }
  const soon = await postRows(fixture, company, { transactions: [row('soon', { posted_at: inDays(30) })] });
  expect(soon.body.warnings).toMatchObject([{ code: 'future_date', pointer: '/transactions/0/posted_at' }]);
  expect((await postRows(fixture, company, row('tomorrow', { posted_at: inDays(1) }))).body.warnings).toEqual([]);
  const balance = { balance_cents: 1, currency: 'USD' };
  for (const [as_of, status] of [
    [inDays(368), 422],
    ['1969-12-31', 422],
    [inDays(30), 201],
  ] as const) {
    const response = await fixture.client.rest(operations.cash.balances.upsert, {
      company_id: company,
      ...balance,
      as_of: as_of.slice(0, 10),
    });
    expect(response.status).toBe(status);
    if (status === 201) expect(response.body.warnings).toMatchObject([{ code: 'future_date', pointer: '/as_of' }]);
  }
});

describe('keys', () => {
  test('C5: rows without a connection are one stream; an empty connection is rejected and aliases nothing', async () => {
    const company = await newCompany(fixture);
    expect((await postRows(fixture, company, row('a'))).body.inserted).toBe(1);
    expect((await postRows(fixture, company, row('a'))).body).toMatchObject({ inserted: 0, skipped: 1 });
    const empty = await postRows(fixture, company, row('a', { connection_id: '' }));
    expect([empty.status, empty.problem.errors?.[0]]).toMatchObject([
      422,
      { pointer: '/connection_id', code: 'too_short' },
    ]);
    expect(await storedRows(fixture, company)).toBe(1);
  });

  test('C6: an explicit null is the same as an absent field', async () => {
    const company = await newCompany(fixture);
    const nulls = {
      description: null,
      category: null,
      counterparty: null,
      connection_id: null,
      currency: null,
      source: null,
    };
    const explicit = await postRows(fixture, company, row('a', nulls));
    expect(explicit.status).toBe(201);
    expect((await postRows(fixture, company, row('a'))).body.skipped_transactions).toMatchObject([
      { reason: 'duplicate', differs: [] },
    ]);
    expect((await postRows(fixture, company, { transactions: null, ...row('b') })).body).toMatchObject({
      inserted: 1,
      warnings: [],
    });
    const balance = { company_id: company, as_of: '2026-03-01', balance_cents: 5, currency: 'USD' };
    await fixture.client.rest(operations.cash.balances.upsert, balance);
    const again = await fixture.client.rest(operations.cash.balances.upsert, {
      ...balance,
      source: null,
      connection_id: null,
    });
    expect(again.body.result).toBe('unchanged');
    const required = await postRows(fixture, company, row('c', { amount_cents: null }));
    expect(required.problem.errors).toMatchObject([{ pointer: '/amount_cents', code: 'required' }]);
    expect(
      (
        await fixture.client.rest(operations.webhookEndpoints.create, {
          url: 'http://127.0.0.1:9/',
          events: null,
          company_id: null,
          description: null,
        })
      ).status,
    ).toBe(201);
  });

  test('C7: another connection or another company is another key', async () => {
    const [one, two] = [await newCompany(fixture), await newCompany(fixture)];
    const pair = [row('x', { connection_id: 'A' }), row('x', { connection_id: 'B' })];
    expect((await postRows(fixture, one, { transactions: pair })).body.inserted).toBe(2);
    expect((await postRows(fixture, two, { transactions: pair })).body.inserted).toBe(2);
    expect(await storedRows(fixture, one)).toBe(2);
  });

  test('C8: ids are byte-exact: case, spaces and normal forms tell them apart', async () => {
    const company = await newCompany(fixture);
    const ids = ['a', 'A', 'a ', ' a', '\u00e9', 'e\u0301', 'ﬁ', 'fi', 'ß', 'ss', 'İ', 'i', 'a\u200b', '𝒶'];
    expect((await postRows(fixture, company, { transactions: ids.map((id) => row(id)) })).body.inserted).toBe(
      ids.length,
    );
    for (const id of ids) {
      const target = `/api/v1/companies/${company}/bank/transactions?external_id=${encodeURIComponent(id)}`;
      const found = await fixture.client.send<{ data: { external_id: string }[] }>('GET', target);
      expect(found.body.data.map(({ external_id }) => external_id)).toEqual([id]);
    }
    expect((await postRows(fixture, company, { transactions: ids.map((id) => row(id)) })).body.skipped).toBe(
      ids.length,
    );
    for (const id of ['a\0b', '\ud800']) {
      const rejected = await postRows(fixture, company, row(id));
      expect([rejected.status, rejected.problem.errors?.[0]?.code]).toEqual([422, 'invalid_format']);
    }
  });

  test('C1: the first of two equal keys in one request wins, the second is named with what differs', async () => {
    const company = await newCompany(fixture);
    const response = await postRows(fixture, company, {
      transactions: [row('a', { amount_cents: 1 }), row('b'), row('a', { amount_cents: 2 })],
    });
    expect(response.body).toMatchObject({ received: 3, inserted: 2, skipped: 1 });
    expect(response.body.skipped_transactions).toEqual([
      {
        index: 2,
        external_id: 'a',
        connection_id: null,
        reason: 'duplicate_in_request',
        existing_id: response.body.transactions[0]?.id,
        differs: ['amount_cents'],
      },
    ]);
    expect(response.body.transactions[0]).toMatchObject({ external_id: 'a', amount_cents: 1 });
  });
});

describe('limits of a batch', () => {
  test('C12: 501 rows are 413 before any row is looked at, and nothing is stored', async () => {
    const company = await newCompany(fixture);
    const before = await countRows(fixture, 'event');
    for (const transactions of [
      rows(501),
      Array.from({ length: 501 }, () => 'not a row'),
      Array.from({ length: 501 }, () => null),
    ]) {
      const response = await postRows(fixture, company, { transactions });
      expect([response.status, response.problem.code]).toEqual([413, 'batch_too_large']);
      expect(response.problem).toMatchObject({ limit: 500, received: 501 });
      const skipping = await postRows(fixture, company, { transactions, on_error: 'skip' });
      expect(skipping.status).toBe(413);
    }
    expect([await storedRows(fixture, company), await countRows(fixture, 'event')]).toEqual([0, before]);
  });

  test('C12: 500 rows are stored; 500 times the same row is one', async () => {
    const company = await newCompany(fixture);
    const all = await postRows(fixture, company, { transactions: rows(500) });
    expect([all.status, all.body.inserted, await storedRows(fixture, company)]).toEqual([201, 500, 500]);
    expect((await eventOf(fixture, all)).transactions.map(({ external_id }) => external_id)).toEqual(
      rows(500).map(({ external_id }) => external_id),
    );
    const same = await postRows(fixture, company, { transactions: Array.from({ length: 500 }, () => row('same')) });
    expect(same.body).toMatchObject({ received: 500, inserted: 1, skipped: 499 });
    expect(await storedRows(fixture, company)).toBe(501);
  });

  test('D23: an empty batch, a bare list and a mixture of batch and row are rejected by name', async () => {
    const company = await newCompany(fixture);
    const empty = await postRows(fixture, company, { transactions: [] });
    expect(empty.problem.errors).toMatchObject([{ pointer: '/transactions', code: 'empty_batch' }]);
    const mixed = await postRows(fixture, company, { transactions: [row('a')], amount_cents: 5 });
    expect(mixed.problem.errors).toMatchObject([{ pointer: '/amount_cents', code: 'ambiguous_body' }]);
    const target = `/api/v1/companies/${company}/bank/transactions`;
    const list = await fixture.client.send('POST', target, { body: [row('a')] });
    expect([list.status, list.problem.errors?.[0]?.message]).toEqual([
      422,
      'must be a JSON object; wrap the list: {"transactions": […]}',
    ]);
    // A name that every object inherits is a stray field, not a field of a row.
    const inherited = await postRows(fixture, company, { transactions: [row('a')], constructor: 1, toString: 2 });
    expect([inherited.status, inherited.body.warnings.map(({ pointer }) => pointer)]).toEqual([
      201,
      ['/constructor', '/toString'],
    ]);
  });
});
