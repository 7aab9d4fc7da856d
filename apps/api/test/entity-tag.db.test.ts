// Risk: a poller is told that nothing changed when something did, or gets a body that belongs to another key.
import { operations } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { useApi } from './api-fixture.ts';

const fixture = useApi();

const { financials, cash, bank } = operations;
const summary = (tag?: string, method: 'rest' | 'trpc' = 'rest') =>
  fixture.client[method](
    financials.summary,
    { company_id: fixture.companyId },
    tag === undefined ? {} : { headers: { 'if-none-match': tag } },
  );
const post = (balance_cents: number) =>
  fixture.client.rest(cash.balances.upsert, {
    company_id: fixture.companyId,
    as_of: new Date().toISOString().slice(0, 10),
    balance_cents,
    currency: 'USD',
  });
const tagOf = async (): Promise<string> => String((await summary()).headers['etag']);

test('the summary has an ETag that holds until a figure changes', async () => {
  await post(100);
  const first = await summary();
  const tag = String(first.headers['etag']);
  expect([first.status, tag]).toEqual([200, expect.stringMatching(/^"[\w-]{27}"$/)]);
  expect(await tagOf()).toBe(tag);
  const again = await summary(tag);
  expect([again.status, again.text, again.headers['etag'], again.headers['content-type']]).toEqual([
    304,
    '',
    tag,
    undefined,
  ]);
  expect(again.headers['cache-control']).toBe('private, no-cache');
  await post(101);
  const changed = await summary(tag);
  expect([changed.status, changed.body.cash.headline?.balance_cents]).toEqual([200, 101]);
  await fixture.client.rest(bank.transactions.ingest, {
    company_id: fixture.companyId,
    external_id: 'x',
    posted_at: new Date().toISOString(),
    amount_cents: -5,
  });
  expect(await tagOf()).not.toBe(changed.headers['etag']);
});

test.each([
  ['weak', (tag: string) => `W/${tag}`, 304],
  ['one of several', (tag: string) => `"a", ${tag}`, 304],
  ['any', () => '*', 304],
  ['without quotes', (tag: string) => tag.replaceAll('"', ''), 200],
  ['another', () => '"a"', 200],
])('RFC 9110: an If-None-Match that is %s', async (_, header, status) => {
  expect((await summary(header(await tagOf()))).status).toBe(status);
});

test('HEAD has the tag of GET; tRPC knows none', async () => {
  const path = `/api/v1/companies/${fixture.companyId}/financials/summary`;
  const tag = await tagOf();
  const head = await fixture.client.send('HEAD', path);
  expect([head.status, head.headers['etag'], head.text]).toEqual([200, tag, '']);
  const other = await summary(tag, 'trpc');
  expect([other.status, other.headers['etag'], other.headers['cache-control']]).toEqual([200, undefined, 'no-store']);
});

test('a tag opens nothing: without a key 401, for another account 404', async () => {
  const tag = await tagOf();
  const stranger = await fixture.openTenant('Stranger');
  const headers = { 'if-none-match': tag };
  const input = { company_id: fixture.companyId };
  expect((await fixture.client.rest(financials.summary, input, { key: null, headers })).status).toBe(401);
  expect((await stranger.client.rest(financials.summary, input, { headers })).status).toBe(404);
});
