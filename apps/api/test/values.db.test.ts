// Risk: money or dates change on their way from the request's text to the stored row.
import { operations } from '@finhook/contracts';
import { describe, expect, test } from 'vitest';
import type { ApiResponse } from './api-client.ts';
import { useApi } from './api-fixture.ts';

const fixture = useApi();
let count = 0;

interface Place {
  name: string;
  path: string;
  procedure: string;
  /** A raw body with the literal in the place of an amount; `id` makes it new. */
  body: (literal: string, id: number) => string;
  pointer: string;
  read: (body: unknown) => unknown;
}

const places: Place[] = [
  {
    name: 'a transaction’s amount',
    path: 'bank/transactions',
    procedure: 'bank.transactions.ingest',
    body: (literal, id) => `{"external_id":"t${id}","posted_at":"2026-03-01T00:00:00Z","amount_cents":${literal}}`,
    pointer: '/amount_cents',
    read: (body) => Reflect.get(Reflect.get(Object(body), 'transactions')[0], 'amount_cents'),
  },
  {
    name: 'a batched transaction’s amount',
    path: 'bank/transactions',
    procedure: 'bank.transactions.ingest',
    body: (literal, id) =>
      `{"transactions":[{"external_id":"b${id}","posted_at":"2026-03-01T00:00:00Z","amount_cents":${literal}}]}`,
    pointer: '/transactions/0/amount_cents',
    read: (body) => Reflect.get(Reflect.get(Object(body), 'transactions')[0], 'amount_cents'),
  },
  {
    name: 'a balance',
    path: 'cash/balances',
    procedure: 'cash.balances.upsert',
    body: (literal, id) =>
      `{"as_of":"2026-03-01","connection_id":"c${id}","currency":"USD","balance_cents":${literal}}`,
    pointer: '/balance_cents',
    read: (body) => Reflect.get(Object(body), 'balance_cents'),
  },
  {
    name: 'a line item',
    path: 'financials/snapshots',
    procedure: 'financials.snapshots.upsert',
    body: (literal, id) =>
      `{"statement_type":"balance","period_end":"2026-03-01","currency":"USD","source":"s${id}","line_items":[{"key":"k","label":"l","amount_cents":${literal}}]}`,
    pointer: '/line_items/0/amount_cents',
    read: (body) => Reflect.get(Reflect.get(Object(body), 'line_items')[0], 'amount_cents'),
  },
];

async function postRaw(place: Place, protocol: 'rest' | 'trpc', literal: string): Promise<ApiResponse> {
  const raw = place.body(literal, ++count);
  if (protocol === 'rest')
    return fixture.client.send('POST', `/api/v1/companies/${fixture.companyId}/${place.path}`, { raw });
  const addressed = `{"company_id":"${fixture.companyId}",${raw.slice(1)}`;
  const response = await fixture.client.send<{
    result?: { data: unknown };
    error?: { data: { problem: ApiResponse['problem'] } };
  }>('POST', `/trpc/${place.procedure}`, { raw: addressed });
  const { result, error } = response.body;
  return { ...response, body: result?.data, problem: error?.data.problem ?? response.problem };
}

const accepted: [string, number][] = [
  ['9007199254740991', 9007199254740991],
  ['-9007199254740991', -9007199254740991],
  ['12.0', 12],
  ['1e2', 100],
  ['1.5e1', 15],
  ['120E-1', 12],
  ['0', 0],
  ['-0', 0],
  ['-0.0', 0],
  ['0e99', 0],
];
const rejected: [string, string][] = [
  ['9007199254740992', 'out_of_range'],
  ['9007199254740993', 'out_of_range'],
  ['-9007199254740992', 'out_of_range'],
  ['9007199254740993.0', 'out_of_range'],
  ['1e400', 'out_of_range'],
  ['-1e400', 'out_of_range'],
  ['1e16', 'out_of_range'],
  ['12345678901234567890', 'out_of_range'],
  ['12.5', 'not_an_integer'],
  ['1e-1', 'not_an_integer'],
  ['1.00000000000000000001', 'not_an_integer'],
  ['4503599627370496.3', 'not_an_integer'],
  ['1e-400', 'not_an_integer'],
  ['"12"', 'invalid_type'],
  ['true', 'invalid_type'],
  ['[1]', 'invalid_type'],
  ['{}', 'invalid_type'],
  ['null', 'required'],
];

describe.each(places)('C31: $name', (place) => {
  test.each(['rest', 'trpc'] as const)(
    'over %s: exact integers are kept, whatever their notation',
    async (protocol) => {
      for (const [literal, value] of accepted) {
        const response = await postRaw(place, protocol, literal);
        expect([literal, response.status < 300], response.text).toEqual([literal, true]);
        expect(place.read(response.body)).toBe(value);
      }
    },
  );

  test.each(['rest', 'trpc'] as const)(
    'over %s: what a double would round or is no integer is 422',
    async (protocol) => {
      for (const [literal, code] of rejected) {
        const response = await postRaw(place, protocol, literal);
        expect([literal, response.status, response.problem.errors], response.text).toMatchObject([
          literal,
          422,
          [{ pointer: place.pointer, code }],
        ]);
        expect(response.problem.errors).toHaveLength(1);
      }
    },
  );
});

test('C31: one faulty call of a tRPC batch does not reject the others', async () => {
  const call = (id: string, cents: string): string =>
    `{"company_id":"${fixture.companyId}","as_of":"2026-03-01","connection_id":"${id}","currency":"USD","balance_cents":${cents}}`;
  const response = await fixture.client.send<
    { result?: { data: { balance_cents: number } }; error?: { data: { problem: ApiResponse['problem'] } } }[]
  >('POST', '/trpc/cash.balances.upsert,cash.balances.upsert?batch=1', {
    raw: `{"0":${call('batch-0', '5')},"1":${call('batch-1', '9007199254740993')}}`,
  });
  expect(response.status).toBe(207);
  expect(response.body[0]?.result?.data.balance_cents).toBe(5);
  expect(response.body[1]?.error?.data.problem.errors).toMatchObject([
    { pointer: '/balance_cents', code: 'out_of_range' },
  ]);
});

test('C31: the stored value is the posted one, also as PostgreSQL holds it', async () => {
  const rows = await fixture.elsewhere.database.query<{ amount: string }>(
    'SELECT DISTINCT amount_cents::text AS amount FROM bank_transaction ORDER BY 1',
  );
  expect(rows.map(({ amount }) => amount).sort()).toEqual(
    ['-9007199254740991', '0', '100', '12', '15', '9007199254740991'].sort(),
  );
});

test('C32: sums beyond 2^53−1 stay exact as text', async () => {
  const company = (await fixture.client.rest(operations.companies.create, { name: 'Rich' })).body.id;
  for (const connection_id of ['a', 'b']) {
    await fixture.client.rest(operations.cash.balances.upsert, {
      company_id: company,
      as_of: '2026-03-01',
      balance_cents: 9007199254740991,
      currency: 'USD',
      connection_id,
    });
  }
  const onHand = await fixture.client.rest(operations.cash.onHand, { company_id: company });
  expect(onHand.body.lines).toMatchObject([
    { currency: 'USD', balance_cents: null, balance_string: '18014398509481982', streams: 2 },
  ]);
});

test('C33: only real calendar dates of four-digit years are dates', async () => {
  const dates: [string, number, string?][] = [
    ['2026-02-29', 422, 'invalid_date'],
    ['2026-13-01', 422, 'invalid_date'],
    ['2026-1-1', 422, 'invalid_date'],
    ['20260101', 422, 'invalid_date'],
    ['0000-01-01', 422, 'invalid_date'],
    ['10000-01-01', 422, 'invalid_date'],
    ['2026-04-31', 422, 'invalid_date'],
    ['2026-01-01T00:00:00Z', 422, 'invalid_date'],
    ['', 422, 'invalid_date'],
    ['1972-02-29', 201],
    ['2024-02-29', 201],
  ];
  for (const [as_of, status, code] of dates) {
    const input = { company_id: fixture.companyId, as_of, balance_cents: 1, currency: 'USD' };
    const response = await fixture.client.rest(operations.cash.balances.upsert, input);
    expect([as_of, response.status], response.text).toEqual([as_of, status]);
    if (code) expect(response.problem.errors).toMatchObject([{ pointer: '/as_of', code }]);
    else expect(response.body.as_of).toBe(as_of);
  }
  const leap = { statement_type: 'balance', period_end: '2028-02-29', currency: 'USD', totals: { cash: 1 } };
  expect(
    (await fixture.client.rest(operations.financials.snapshots.upsert, { company_id: fixture.companyId, ...leap }))
      .status,
  ).toBe(201);
});

test('C34: D37: D-6: a timestamp is stored as its moment in UTC; one without a zone is rejected', async () => {
  const times: [string, string | null, string?][] = [
    ['2026-03-01T00:30:00+02:00', '2026-02-28T22:30:00.000Z'],
    ['2026-03-01T00:30:00-00:00', '2026-03-01T00:30:00.000Z'],
    ['2026-03-01T00:30:00.123456Z', '2026-03-01T00:30:00.123Z'],
    ['2026-03-01T00:30:00+23:59', '2026-02-28T00:31:00.000Z'],
    ['2026-03-01t00:30:00z', '2026-03-01T00:30:00.000Z'],
    ['2026-03-01T00:30Z', '2026-03-01T00:30:00.000Z'],
    ['2026-03-01t00:30+02:00', '2026-02-28T22:30:00.000Z'],
    ['2026-03-01T00:30:00.5+0200', '2026-02-28T22:30:00.500Z'],
    ['2026-03-01T00:30:00', null, 'timezone_required'],
    ['2026-03-01', null, 'timezone_required'],
    ['2026-03-01t00:30', null, 'timezone_required'],
    ['2026-02-30', null, 'invalid_date'],
    ['2026-02-30T00:00:00', null, 'invalid_date'],
    ['2026-03-01T23:59:60Z', null, 'invalid_date'],
    ['2026-02-30T00:00:00Z', null, 'invalid_date'],
    ['2026-03-01T24:00:00Z', null, 'invalid_date'],
    ['2026-03-01T00:00:00+24:00', null, 'invalid_date'],
    ['1772323200', null, 'invalid_date'],
  ];
  for (const [posted_at, stored, code] of times) {
    const input = { company_id: fixture.companyId, external_id: `time ${posted_at}`, posted_at, amount_cents: 1 };
    const response = await fixture.client.rest(operations.bank.transactions.ingest, input);
    if (code) expect(response.problem.errors, posted_at).toMatchObject([{ pointer: '/posted_at', code }]);
    else expect(response.body.transactions[0]?.posted_at, posted_at).toBe(stored);
  }
  const filter = {
    company_id: fixture.companyId,
    posted_from: '2026-03-01t00:30z',
    posted_to: '2026-03-01T02:30:00.001+0200',
  };
  const { body } = await fixture.client.rest(operations.bank.transactions.list, filter);
  expect(new Set(body.data.map(({ posted_at }) => posted_at))).toEqual(new Set(['2026-03-01T00:30:00.000Z']));
});

describe('D30: totals are finite JSON numbers, and what a double would not keep is 422', () => {
  const total: Place = {
    name: 'a total',
    path: 'financials/snapshots',
    procedure: 'financials.snapshots.upsert',
    body: (literal, id) =>
      `{"statement_type":"balance","period_end":"2026-04-01","currency":"USD","source":"s${id}","totals":{"cash":${literal}}}`,
    pointer: '/totals/cash',
    read: (body) => Reflect.get(Reflect.get(Object(body), 'totals'), 'cash'),
  };
  const kept = '1e300 -1e300 1.7976931348623157e308 9007199254740994 1e23 0.1 10.10 0.10000000000000001 5e-324 -0.0';
  const lost =
    '1e400 -1e400 9007199254740993 -9007199254740993.0 0.1234567890123456789 1.00000000000000000001 1e-400 3e-324';

  test.each(['rest', 'trpc'] as const)('over %s', async (protocol) => {
    for (const literal of kept.split(' ')) {
      const response = await postRaw(total, protocol, literal);
      expect([literal, response.status < 300], response.text).toEqual([literal, true]);
      expect(total.read(response.body)).toBe(Number(literal) + 0);
    }
    for (const literal of lost.split(' ')) {
      const { status, problem } = await postRaw(total, protocol, literal);
      expect([literal, status, problem.errors]).toEqual([
        literal,
        422,
        [{ pointer: '/totals/cash', code: 'out_of_range', message: expect.stringContaining(`; got ${literal}`) }],
      ]);
    }
  });
});

test('C37: currencies are ISO 4217 codes in any case, stored in upper case', async () => {
  const post = (currency: string) =>
    fixture.client.rest(operations.cash.balances.upsert, {
      company_id: fixture.companyId,
      as_of: '2026-03-02',
      balance_cents: 1,
      currency,
    });
  expect((await post('usd')).body.currency).toBe('USD');
  for (const code of ['XXX', 'ABC', 'US', 'USD ', 'ＵＳＤ', 'u\u017fd', '']) {
    expect((await post(code)).problem.errors, code).toMatchObject([{ pointer: '/currency', code: 'currency_unknown' }]);
  }
});

describe('S32: names that JavaScript gives a meaning are plain data', () => {
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];

  test('in totals', async () => {
    const totals = names.map((name, i) => `"${name}":${i + 1}`).join(',');
    const raw = `{"statement_type":"income","period_start":"2026-01-01","period_end":"2026-01-31","currency":"USD","totals":{${totals}}}`;
    const target = `/api/v1/companies/${fixture.companyId}/financials/snapshots`;
    const response = await fixture.client.send<{ id: string; totals: object; event_id: string }>('POST', target, {
      raw,
    });
    expect(response.status, response.text).toBe(201);
    expect(Object.entries(response.body.totals).sort()).toEqual(names.map((name, i) => [name, i + 1]).sort());
    const read = await fixture.client.send<{ totals: object }>('GET', `${target}/${response.body.id}`);
    expect(Object.entries(read.body.totals)).toEqual(Object.entries(response.body.totals));
    const event = await fixture.client.send<{ data: { totals: object } }>(
      'GET',
      `/api/v1/events/${response.body.event_id}`,
    );
    expect(Object.entries(event.body.data.totals)).toEqual(Object.entries(response.body.totals));
  });

  test('in metadata', async () => {
    const metadata = names.map((name) => `"${name}":"v"`).join(',');
    const response = await fixture.client.send<{ id: string; metadata: object }>('POST', '/api/v1/companies', {
      raw: `{"name":"Pollution","metadata":{${metadata}}}`,
    });
    expect(response.status, response.text).toBe(201);
    expect(Object.keys(response.body.metadata).sort()).toEqual([...names].sort());
    const read = await fixture.client.send<{ metadata: object }>('GET', `/api/v1/companies/${response.body.id}`);
    expect(Object.keys(read.body.metadata).sort()).toEqual([...names].sort());
  });

  test('as fields of a body, also of one that would carry fields in its prototype', async () => {
    const raw =
      '{"name":"Proto","__proto__":{"base_currency":"EUR","status":"dissolved"},"constructor":{"prototype":{"name":"x"}}}';
    const response = await fixture.client.send<{
      base_currency: string;
      status: string;
      warnings: { pointer: string }[];
    }>('POST', '/api/v1/companies', { raw });
    expect(response.body).toMatchObject({ base_currency: 'USD', status: 'active' });
    expect(response.body.warnings.map(({ pointer }) => pointer)).toEqual(['/__proto__', '/constructor']);
    expect(Reflect.get({}, 'base_currency')).toBeUndefined();
  });
});
