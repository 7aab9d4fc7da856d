// Risk: a key in the wrong place of a request is stored, where a read key can find it.
import { operations } from '@finhook/contracts';
import { expect, test } from 'vitest';
import type { SendOptions } from './api-client.ts';
import { type ApiFixture, useApi } from './api-fixture.ts';
import { own, signIn } from './sign-in.ts';

const fixture = useApi();

/** The tables with a row that has the text, in any column and encoding. */
async function tablesWith({ elsewhere }: ApiFixture, text: string): Promise<string[]> {
  const { owner } = elsewhere.database;
  const sql =
    "SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace";
  const tables = await owner.query<{ name: string }>(sql);
  expect(tables.length).toBeGreaterThan(30);
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await owner.query(`SELECT FROM ${name} t WHERE t::text LIKE $1 OR t::text LIKE $2 LIMIT 1`, [
      `%${text}%`,
      `%${Buffer.from(text).toString('hex')}%`,
    ]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

const encoded = (text: string): string => text.replace('_', '%5F');

/** Requests with the secret in each wrong place. */
function misplaced(secret: string): [method: string, target: string, options?: SendOptions][] {
  const quoted = encodeURIComponent(secret);
  const input = encodeURIComponent(JSON.stringify({ company_id: secret, [secret]: 1 }));
  const rpc = (method: string, params: object): SendOptions => ({
    body: { jsonrpc: '2.0', id: secret, method, params },
    headers: { accept: 'application/json, text/event-stream', 'user-agent': secret },
  });
  return [
    ['GET', `/api/v1/companies/${quoted}`],
    ['GET', `/api/v1/companies/${encoded(quoted)}`],
    ['GET', `/api/v1/companies/x${quoted}/cash/on-hand`],
    ['DELETE', `/api/v1/api-keys/${quoted}`],
    ['GET', `/api/v1/companies?${quoted}=${quoted}`],
    ['GET', `/api/v1/${quoted}`],
    ['GET', `/${quoted}`],
    ['GET', `/dashboard/sign-in?link=${quoted}`],
    ['GET', `/dashboard/${quoted}`],
    ['GET', `/trpc/${quoted}`],
    ['GET', `/trpc/companies.get?input=${input}`],
    ['GET', `/trpc/me.get,${quoted}?batch=1&input=${input}`],
    ['POST', '/trpc/companies.create', { body: { name: 'Acme' }, headers: { 'idempotency-key': secret } }],
    ['GET', '/api/v1/me', { headers: { 'user-agent': secret, 'x-request-id': secret, referer: `http://x/${secret}` } }],
    ['GET', '/api/v1/me', { headers: { traceparent: secret, cookie: `session=${secret}`, 'x-forwarded-for': secret } }],
    ['POST', '/api/v1/companies', { body: { name: 'Acme' }, headers: { 'idempotency-key': secret } }],
    ['POST', '/api/v1/companies', { body: { name: 'Acme' }, headers: { 'idempotency-key': `batch-${secret}` } }],
    ['POST', '/api/v1/companies', { body: { name: 1, currency: secret, [secret]: secret } }],
    ['POST', '/api/v1/companies', { raw: `{"name": ${secret}` }],
    ['POST', '/api/v1/companies', { raw: '{}', headers: { 'content-type': secret } }],
    ['POST', '/api/v1/device-authorization', { body: { client_name: secret } }],
    ['POST', '/mcp', rpc('tools/call', { name: 'companies_get', arguments: { company_id: secret } })],
    ['POST', '/mcp', rpc('tools/call', { name: secret, arguments: {} })],
    ['POST', '/mcp', rpc('tools/call', { name: 'agent_flags_raise', arguments: { idempotency_key: secret } })],
    ['POST', '/mcp', rpc('resources/read', { uri: `finhook://companies/${secret}` })],
    ['POST', '/mcp', rpc('prompts/get', { name: secret })],
  ];
}

test.each([
  ['an API key', () => fixture.keyOf('human')],
  [
    'a signing secret',
    async () =>
      (await fixture.client.rest(operations.webhookEndpoints.create, { url: 'http://127.0.0.1:9/' })).body.secret,
  ],
])('%s in a wrong place of a request reaches no table, no log line and no problem', async (_name, make) => {
  const secret = await make();
  const { client, logLines } = fixture;
  await signIn(client, fixture.apiKey, { headers: { ...own, 'user-agent': `Browser ${secret}` } });
  const last: string[] = [];
  for (const key of [null, fixture.apiKey, await fixture.keyOf('ingest')]) {
    for (const [method, target, options] of misplaced(secret)) {
      const response = await client.send(method, target, { key, ...options });
      if (response.status >= 400 && !target.startsWith('/mcp')) expect(response.text, target).not.toContain(secret);
      last.push(String(response.headers['x-request-id']));
    }
  }
  const count = async () => {
    const sql = 'SELECT count(*)::int AS found FROM request_log WHERE id = ANY ($1)';
    const [row] = await fixture.elsewhere.database.owner.query<{ found: number }>(sql, [last]);
    return row?.found;
  };
  const authenticated = misplaced(secret).length * 2;
  await expect.poll(count).toBeGreaterThan(authenticated - 20);
  await expect.poll(() => logLines.some((line) => line.includes(String(last.at(-1))))).toBe(true);
  expect(await tablesWith(fixture, secret)).toEqual([]);
  expect(logLines.filter((line) => line.includes(secret) || line.includes(encoded(secret)))).toEqual([]);
});

test('an Idempotency-Key that contains a secret works, and is masked in the log', async () => {
  const { client } = fixture;
  const headers = { 'idempotency-key': `batch-${fixture.apiKey}` };
  const send = (name: string) => client.rest(operations.companies.create, { name }, { headers });
  const [first, second, other] = [await send('Once'), await send('Once'), await send('Other')];
  expect([first.status, second.status, second.body.id]).toEqual([201, 201, first.body.id]);
  expect(second.headers['idempotency-replayed']).toBe('true');
  expect([other.status, other.problem.code]).toEqual([422, 'idempotency_key_reuse']);
  const read = () => client.rest(operations.requests.get, { request_id: String(first.headers['x-request-id']) });
  await expect.poll(async () => (await read()).status).toBe(200);
  expect((await read()).body.idempotency_key).toBe('batch-sk_live_[masked]');
});
