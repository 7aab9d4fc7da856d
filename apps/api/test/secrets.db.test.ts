// Risk: a secret that passes through the service turns up in its logs or in an error that someone else reads.

import { operations } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { type ApiResponse } from './api-client.ts';
import { useApi } from './api-fixture.ts';
import { inputFor, shapes } from './operation-walk.ts';
import { seedTenant } from './seed-tenant.ts';

const fixture = useApi({ rateLimits: { failedAuth: 1_000 } });

/** A body of each shape, and each that has a secret in it. */
const { create, update } = operations.webhookEndpoints;
const called = [...new Set([...shapes, create, update])];

test('calls that fail in every way leave no secret in a log line or an error', async () => {
  const { client, apiKey, elsewhere } = fixture;
  const seed = await seedTenant(fixture);
  const made = await client.rest(operations.webhookEndpoints.create, {
    url: 'http://user-canary@127.0.0.1:9/?token=query-canary',
  });
  const endpoint = await client.rest(operations.webhookEndpoints.create, {
    url: 'http://127.0.0.1:9/?token=query-canary',
  });
  const minted = await client.rest(operations.apiKeys.create, { name: 'Canary', scope: 'human' });
  const setHeader = (name: string, value: string) =>
    client.rest(update, { endpoint_id: endpoint.body.id, headers: { [name]: value } });
  expect((await setHeader('x-own', 'own-canary')).text).toContain('"headers":{"x-own":"***"}');
  const errors: ApiResponse[] = [made, await setHeader('host', 'own-canary'), await setHeader('x-own', 'own-canary\n')];
  const secrets = [
    apiKey,
    minted.body.key,
    endpoint.body.secret,
    'basic-canary',
    'header-canary',
    'own-canary',
    'token-canary',
    Buffer.alloc(32, 7).toString('base64'),
  ];
  const inputs = { secret: 'token-canary', headers: { 'x-own': 'own-canary' } };
  const { apiKeys, bank } = operations;

  for (const operation of called.filter((one) => one !== apiKeys.revoke)) {
    const input = inputFor(operation, seed);
    for (const key of [null, 'sk_live_wrong-canary', minted.body.key]) {
      errors.push(await client.rest(operation, { ...input, surprise: { a: 1 } }, { key }));
      errors.push(await client.trpc(operation, { ...input, limit: 'x' }, { key }));
    }
  }
  errors.push(
    await client.send('GET', '/api/v1/me', { key: null, headers: { authorization: 'Basic basic-canary' } }),
    await client.send('GET', `/api/v1/me?api_key=${apiKey}`, { key: null }),
    await client.send('GET', `/api/v1/me?api_key=${apiKey}`),
    await client.send('GET', '/api/v1/me', {
      headers: { 'x-secret': 'header-canary', cookie: 'session=header-canary' },
    }),
    await client.send('POST', '/api/v1/api-keys', { raw: '{"name":"x","scope":"read"' }),
  );
  // A missing table causes internal errors, which are logged with statements and values.
  for (const table of ['webhook_endpoint', 'bank_connection', 'idempotency_key', 'event', 'audit_log']) {
    await elsewhere.database.owner.query(`ALTER TABLE ${table} RENAME TO ${table}_away`);
    for (const operation of called.filter((one) => one !== apiKeys.revoke)) {
      const headers = { 'idempotency-key': `canary-${table}-${operation.id}` };
      const secretsOf = operation === bank.connections.setSecret ? { secret: inputs.secret } : {};
      const own = operation === create || operation === update ? { headers: inputs.headers } : secretsOf;
      errors.push(await client.rest(operation, { ...inputFor(operation, seed), ...own }, { headers }));
    }
    await elsewhere.database.owner.query(`ALTER TABLE ${table}_away RENAME TO ${table}`);
  }
  const failed = errors.filter(({ status }) => status >= 500);
  expect(failed.length).toBeGreaterThan(30);
  expect(fixture.logLines.filter((line) => line.includes('"level":"error"')).length).toBe(failed.length);

  const logs = fixture.logLines.join('\n');
  for (const secret of [...secrets, 'query-canary', 'wrong-canary']) expect(logs).not.toContain(secret);
  const rejections = errors
    .filter(({ status }) => status >= 400)
    .map(({ text }) => text)
    .join('\n');
  for (const secret of secrets) expect(rejections).not.toContain(secret);
  for (const { status, text } of failed) {
    expect([status, text]).toEqual([500, expect.stringContaining('"code":"internal"')]);
    expect(text).not.toMatch(/relation|does not exist|SELECT|INSERT|node_modules|\.ts|_away|at .+:\d+/);
  }
});

test('an internal error shows no stack, SQL or path, over both protocols', async () => {
  const { client, companyId, elsewhere } = fixture;
  await elsewhere.database.owner.query('ALTER TABLE cash_balance RENAME COLUMN balance_cents TO gone');
  const input = { company_id: companyId, as_of: '2026-01-01', balance_cents: 1, currency: 'USD' };
  const responses = [
    await client.rest(operations.cash.balances.upsert, input),
    await client.trpc(operations.cash.balances.upsert, input),
    await client.rest(operations.cash.onHand, { company_id: companyId }),
    await client.trpc(operations.cash.onHand, { company_id: companyId }),
  ];
  await elsewhere.database.owner.query('ALTER TABLE cash_balance RENAME COLUMN gone TO balance_cents');
  for (const response of responses) {
    expect([response.status, response.problem.code, response.problem.retryable]).toEqual([500, 'internal', true]);
    expect(response.problem.request_id).toBe(response.headers['x-request-id']);
    expect(response.text).not.toMatch(/balance_cents|column|SELECT|INSERT|node_modules|\.ts\b|stack/i);
    const logged = fixture.logLines.find(
      (line) => line.includes('"level":"error"') && line.includes(String(response.headers['x-request-id'])),
    );
    expect(logged, 'the log line of the error names the request').toContain('balance_cents');
  }
  expect((await client.rest(operations.cash.balances.upsert, input)).status).toBe(201);
});
