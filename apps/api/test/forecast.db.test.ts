// Risk: a forecast, which is a POST, is treated as a change: denied to readers, stored, or replayed.
import { operations } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { useApi } from './api-fixture.ts';

const fixture = useApi();
const { forecast } = operations.financials;

test('a key of scope read gets a forecast over REST and tRPC, and an Idempotency-Key has no effect', async () => {
  const { client, companyId: company_id } = fixture;
  const day = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const post = (daysAgo: number, balance_cents: number) =>
    client.rest(operations.cash.balances.upsert, { company_id, as_of: day(daysAgo), balance_cents, currency: 'USD' });
  await post(60, 16_000_000);
  await post(0, 12_000_000);
  const options = { key: await fixture.keyOf('read'), headers: { 'idempotency-key': 'plan' } };
  const input = { ...forecast.example, company_id, months: 2, lead_months: null };
  const ask = (given: object = {}) =>
    Promise.all(
      (['rest', 'trpc'] as const).map((protocol) => client[protocol](forecast, { ...input, ...given }, options)),
    );
  const [rest, trpc] = await ask();
  expect([rest?.status, trpc?.status]).toEqual([200, 200]);
  expect(rest?.body).toMatchObject({ currency: 'USD', months: [{}, {}], cash_out_date: expect.any(String) });
  expect(trpc?.body).toEqual(rest?.body);
  for (const { status, body } of await ask({ months: 3 })) expect([status, body.months.length]).toEqual([200, 3]);
});
