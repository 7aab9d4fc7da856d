// Risk: the client's types or responses differ from those of the service.
import type { AppRouter } from '@finhook/api/router';
import { createClient, isKnownEvent, isProblem, parseWebhook } from '@finhook/client';
import { createMigratedDatabase } from '@finhook/core/test';
import { startReceiver } from '@finhook/testing';
import { createTRPCClient, httpBatchStreamLink } from '@trpc/client';
import { expect, inject, test } from 'vitest';
import { useLocalService } from './use-local.ts';

const service = useLocalService(() => createMigratedDatabase(inject('pgUrl')));
const connect = (options: Partial<Parameters<typeof createClient>[0]> = {}) =>
  createClient({ baseUrl: `${service.local.info.api_url}/`, apiKey: service.local.info.api_key, ...options });

test('a posted balance arrives as a typed, verified event, and the client reads it back', async () => {
  const client = connect();
  const receiver = await startReceiver();
  const { secret, id } = await client.webhookEndpoints.create({
    url: receiver.url,
    events: ['bank.balance.updated'],
  });
  const stored = await client.cash.balances.upsert({
    company_id: service.local.info.company_id,
    as_of: '2026-03-02',
    balance_cents: 41_250_000,
    currency: 'usd',
  });
  await receiver.waitFor((received) => received.length > 0, { timeoutMs: 10_000 });
  const [request] = receiver.requests;
  if (!request) throw new Error('Nothing was received.');
  const parsed = await parseWebhook({ body: request.body, headers: request.headers, secret });
  if (!parsed.ok) throw new Error(`${parsed.reason}: ${parsed.hint}`);
  const { event } = parsed;
  expect(event.id).toBe(stored.event_id);
  if (!isKnownEvent(event) || event.type !== 'bank.balance.updated') throw new Error(`Unexpected event ${event.type}.`);
  expect(event.data.balance_cents).toBe(41_250_000);
  expect(event.data.cash_on_hand).toEqual([{ currency: 'USD', balance_cents: 41_250_000 }]);
  const listed = await client.cash.balances.list({ company_id: service.local.info.company_id });
  expect(listed.data.map((balance) => balance.id)).toEqual([stored.id]);
  await client.webhookEndpoints.delete({ endpoint_id: id });
  await receiver.close();
});

test('a rejection carries the problem document', async () => {
  const client = connect();
  const failure = await client.companies.create({ name: '' }).catch((error: unknown) => error);
  if (!isProblem(failure, 'validation_failed')) throw failure;
  expect(failure.problem.errors).toMatchObject([{ pointer: '/name', code: 'too_short' }]);
  expect(failure).toMatchObject({ status: 422, retryable: false, requestId: failure.problem.request_id });
  const missing = await client.companies.get({ company_id: 'co_none' }).catch((error: unknown) => error);
  expect([isProblem(missing, 'company_not_found'), isProblem(missing, 'not_found'), isProblem(missing)]).toEqual([
    true,
    false,
    true,
  ]);
});

test('a repeated mutation is executed once, and a list is iterated over its pages', async () => {
  let lost = 0;
  const client = connect({
    // The service executes the first mutation, but its response is lost.
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (init?.method === 'POST' && lost++ === 0) throw new TypeError('The connection was reset.');
      return response;
    },
  });
  const { id: company_id } = await client.companies.create({ name: 'Paged' });
  expect(lost).toBe(2);
  const names: string[] = [];
  for await (const { name } of client.companies.list({ q: 'Paged' })) names.push(name);
  expect(names).toEqual(['Paged']);
  for (const day of ['01', '02', '03'])
    await client.cash.balances.upsert({ company_id, as_of: `2026-03-${day}`, balance_cents: 1, currency: 'USD' });
  const types: string[] = [];
  for await (const event of client.events.list({ company_id, limit: 2 })) types.push(event.type);
  expect(types).toEqual(['company.created', ...Array<string>(3).fill('bank.balance.updated')]);
});

test("a client with tRPC's streaming link gets the responses of its queries and mutations, and its rejections", async () => {
  const { api_url, api_key } = service.local.info;
  const headers = { authorization: `Bearer ${api_key}` };
  const client = createTRPCClient<AppRouter>({ links: [httpBatchStreamLink({ url: `${api_url}/trpc`, headers })] });
  const [me, rejected] = await Promise.all([
    client.me.get.query(),
    client.companies.get.query({ company_id: 'co_none' }).catch((error: unknown) => error),
  ]);
  expect(me.account.id).toEqual(expect.any(String));
  expect(rejected).toMatchObject({ data: { httpStatus: 404, problem: { code: 'company_not_found' } } });
  const [created, faulty] = await Promise.all([
    client.companies.create.mutate({ name: 'Streamed' }),
    client.companies.create.mutate({ name: '' }).catch((error: unknown) => error),
  ]);
  expect(created.name).toBe('Streamed');
  expect(faulty).toMatchObject({ data: { httpStatus: 422, problem: { code: 'validation_failed' } } });
});
