// Risk: a call by itself, which does not go through tRPC's adapter, is answered otherwise than tRPC's clients expect.
import { expect, test } from 'vitest';
import { useApi } from './api-fixture.ts';

const fixture = useApi();

const balance = { as_of: '2026-03-01', balance_cents: 5, currency: 'USD', source: 'api', connection_id: 'a' };
const inputOf = (input: object): string => `input=${encodeURIComponent(JSON.stringify(input))}`;

/** What differs from one call to the next: ids and times. */
function masked(value: unknown): unknown {
  const text = JSON.stringify(value) ?? 'undefined';
  return JSON.parse(text.replaceAll(/[a-z]+_[0-9a-hjkmnp-tv-z]{26}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…'));
}

test.each([
  ['a query without input', 'GET', 'me.get', undefined],
  ['a query', 'GET', 'companies.list', { limit: 2 }],
  ['a query with a fault', 'GET', 'companies.list', { limit: 'many' }],
  ['an unknown record', 'GET', 'companies.get', { company_id: 'co_00000000000000000000000000' }],
  ['a mutation', 'POST', 'cash.balances.upsert', balance],
  ['a mutation with faults', 'POST', 'cash.balances.upsert', { ...balance, currency: 'XXX', as_of: 'soon' }],
  ['a number that is too large', 'POST', 'cash.balances.upsert', { ...balance, balance_cents: 2 ** 60 }],
  ['a query that is posted', 'POST', 'me.get', {}],
  ['a mutation that is got', 'GET', 'companies.create', undefined],
  ['an unknown procedure', 'POST', 'companies.creat', {}],
] as const)('%s gets the same response alone and in a batch of one', async (_name, method, path, given) => {
  const input = path === 'cash.balances.upsert' ? { company_id: fixture.companyId, ...given } : given;
  const call = (query: string, body: object | undefined) =>
    fixture.client.send(method, `/trpc/${path}?${query}`, method === 'GET' ? {} : { body });
  // The first of two posts of a balance creates it.
  if (path === 'cash.balances.upsert') await call('', { ...input, balance_cents: 5 });
  const alone = await call(input === undefined ? '' : inputOf(input), input);
  const batch = await call(`batch=1&${input === undefined ? '' : inputOf({ 0: input })}`, { 0: input });
  expect([masked(alone.body)]).toEqual(masked(batch.body));
  expect(alone.status).toBe(batch.status);
  for (const name of ['content-type', 'vary', 'allow', 'cache-control']) {
    expect([name, alone.headers[name]]).toEqual([name, batch.headers[name]]);
  }
});

test.each([
  ['without a content type', {}],
  ['with one', { raw: '' }],
])('an absent body is an absent input, %s', async (_name, options) => {
  const required = { pointer: '/as_of', code: 'required' };
  const target = '/trpc/cash.balances.upsert';
  for (const query of ['', '?batch=1']) {
    const { status, headers, body } = await fixture.client.send('POST', target + query, options);
    expect(status).toBe(422);
    const [response] = [body].flat();
    expect(response).toMatchObject({
      error: {
        data: {
          problem: {
            instance: target,
            request_id: headers['x-request-id'],
            errors: expect.arrayContaining([expect.objectContaining(required)]),
          },
        },
      },
    });
  }
});

test.each([
  ['procedures of two kinds', '/trpc/me.get,companies.create?batch=1', 'malformed_body'],
  ['connection parameters that are no JSON', '/trpc/me.get,me.get?batch=1&connectionParams={', 'malformed_json'],
])('a batch that tRPC rejects as a whole says its id: %s', async (_name, target, code) => {
  const { status, body, headers } = await fixture.client.send('GET', target);
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: { data: { problem: { code, request_id: headers['x-request-id'] } } } });
});

test.each(['me.get', 'companies.create', 'companies.creat'])(
  'HEAD of %s responds as GET, without the body',
  async (path) => {
    for (const query of ['', '?batch=1']) {
      const got = await fixture.client.send('GET', `/trpc/${path}${query}`);
      const head = await fixture.client.send('HEAD', `/trpc/${path}${query}`);
      expect([head.status, head.text]).toEqual([got.status, '']);
      for (const name of ['content-type', 'content-length', 'allow'])
        expect([name, head.headers[name]]).toEqual([name, got.headers[name]]);
    }
  },
);

test('what a caller does wrong is no error in the log, also where tRPC rejects it or the rejection is a stored one', async () => {
  const company = await fixture.client.send<{ id: string }>('POST', '/api/v1/companies', { body: { name: 'Gone' } });
  const company_id = company.body.id;
  await fixture.client.send('POST', `/api/v1/companies/${company_id}/dissolve`, { body: {} });
  const late = { body: { company_id, ...balance }, headers: { 'idempotency-key': 'late' } };
  const responses = [
    await fixture.client.send('POST', '/trpc/companies.creat', { body: {} }),
    await fixture.client.send('GET', '/trpc/companies.create'),
    await fixture.client.send('POST', '/trpc/me.get?batch=1', { body: { 0: {} } }),
    await fixture.client.send('POST', '/trpc/cash.balances.upsert', late),
    await fixture.client.send('POST', '/trpc/cash.balances.upsert', late),
  ];
  expect(responses.map(({ status }) => status)).toEqual([404, 405, 405, 409, 409]);
  expect(fixture.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

test('who may not call is told so by a call alone as by a batch', async () => {
  for (const query of ['', 'batch=1']) {
    const { status, headers, body } = await fixture.client.send('GET', `/trpc/me.get?${query}`, { key: 'sk_none' });
    expect([status, headers['www-authenticate']]).toEqual([
      401,
      'Bearer realm="finhook", error="invalid_token", error_description="The API key is invalid"',
    ]);
    expect(JSON.stringify(body)).toContain('UNAUTHORIZED');
  }
});
