// Risk: the log shows another account's changes, hides one, or reports a webhook as sent that was not.
import type { operations } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { expect, test } from 'vitest';
import { claimAll, settle } from '../../../test/attempt-of.ts';
import { useFixture } from '../../../test/core-fixture.ts';
import { readAll } from '../../../test/read-all.ts';
import type { Context } from '../../verbs/context.ts';
import type { InputOf } from '../../verbs/verb.ts';
import { ingestTransactions } from '../bank/transactions/ingest.ts';
import { upsertCashBalance } from '../cash/balances/upsert.ts';
import { createCompany } from '../companies/create.ts';
import { getEvent, listEvents } from '../events/read.ts';
import { redeliverEvent } from '../events/redeliver.ts';
import { createEndpoint } from '../webhooks/create.ts';
import { updateEndpoint } from '../webhooks/update.ts';
import { listActivity } from './list.ts';

type Filter = Partial<InputOf<typeof operations.activity.list>>;

const clock = createTestClock(new Date('2026-05-01T12:00:00.000Z'));
const fixture = useFixture(clock);

const list = (filter: Filter = {}, context: Context = fixture.context) =>
  readAll((after) => listActivity(context, { limit: 3, order: 'desc', ...filter, ...(after ? { after } : {}) }));
const balance = (context: Context, company_id: string, as_of = '2026-01-01') =>
  upsertCashBalance(context, { company_id, as_of, balance_cents: 5, currency: 'USD' });

test('a row reports who, what, where from and when, and the events of its request with their deliveries', async () => {
  const { context, companyId } = await fixture.otherAccount();
  const endpoint = await createEndpoint(context, { url: 'http://127.0.0.1:4010/a', events: ['bank.balance.updated'] });
  await createEndpoint(context, { url: 'http://127.0.0.1:4010/b' });
  const request = { id: 'req_mine', ip: '203.0.113.5' };
  const actor = { type: 'api_key' as const, id: 'key_mine', name: 'Mine' };
  const posted = await balance({ ...context, request, actor }, companyId);
  const [row] = await list({ action: 'cash.balances.upsert' }, context);
  const deliveries = { total: 2, succeeded: 0, pending: 2, failed: 0, cancelled: 0 };
  expect(row).toEqual({
    id: row?.id,
    object: 'activity',
    account_id: context.accountId,
    created_at: clock.now().toISOString(),
    actor,
    action: 'cash.balances.upsert',
    resource_id: posted.id,
    company_id: companyId,
    request_id: 'req_mine',
    ip: '203.0.113.5',
    before: null,
    after: { as_of: '2026-01-01', balance_cents: 5, currency: 'USD', result: 'created' },
    events: [{ id: posted.event_id, type: 'bank.balance.updated', deliveries }],
  });

  const claims = await claimAll(fixture.core, endpoint.id);
  await settle(fixture.core, claims);
  const summary = { ...deliveries, succeeded: 1, pending: 1 };
  expect((await list({ resource_id: posted.id }, context))[0]?.events[0]?.deliveries).toEqual(summary);
  await redeliverEvent(context, { event_id: posted.event_id, endpoint_id: endpoint.id });
  const again = { ...summary, total: 3, pending: 2 };
  expect((await list({ resource_id: posted.id }, context))[0]?.events[0]?.deliveries).toEqual(again);

  // The single event has the same deliveries.
  const event = await getEvent(context, { event_id: posted.event_id });
  expect('deliveries' in event).toBe(false);
  expect(await getEvent(context, { event_id: posted.event_id, include: 'deliveries_summary' })).toEqual({
    ...event,
    deliveries: again,
    filtered_endpoint_ids: [],
  });
  const feed = { limit: 50, order: 'asc', type: 'bank.balance.updated' } as const;
  await expect
    .poll(async () => (await listEvents(context, { ...feed, include: 'deliveries_summary' })).data)
    .toEqual([{ ...event, deliveries: again }]);
  expect((await listEvents(context, feed)).data).toEqual([event]);
});

test('each row has the events of its own transaction, also of requests that ran at once', async () => {
  const { context, companyId } = await fixture.otherAccount();
  const posts = await Promise.all(
    Array.from({ length: 12 }, async (_, i) => {
      const id = `req_${i}`;
      const as = { ...context, request: { id, ip: null } };
      if (i % 3 === 0) return { id, event: (await balance(as, companyId, `2026-02-${10 + i}`)).event_id };
      const row = { external_id: `t${i}`, posted_at: '2026-02-01T00:00:00Z', amount_cents: 1 };
      return { id, event: (await ingestTransactions(as, { company_id: companyId, ...row })).event_id };
    }),
  );
  const rows = await list({ company_id: companyId }, context);
  for (const { id, event } of posts) {
    const found = rows.filter(({ request_id }) => request_id === id);
    expect(found.map(({ events }) => events.map((one) => one.id))).toEqual([[event]]);
  }
});

test('the previous state of a record in an inaccessible company is hidden after it moves to an accessible one', async () => {
  const { context, companyId } = await fixture.otherAccount();
  const second = await createCompany(context, { name: 'Second' });
  const endpoint = await createEndpoint(context, { url: 'http://127.0.0.1:4010/c', company_id: second.id });
  for (const [company_id, description] of [
    [companyId, 'moved'],
    [companyId, 'changed'],
  ] as const)
    await updateEndpoint(context, { endpoint_id: endpoint.id, company_id, description });
  const reported = async (reader: Context) =>
    (await list({ action: 'webhookEndpoints.update' }, reader)).map(({ before }) => before);
  const changed = expect.objectContaining({ company_id: companyId, description: 'moved' });
  expect(await reported({ ...context, access: { companyIds: [companyId] } })).toEqual([changed, null]);
  expect(await reported(context)).toEqual([changed, expect.objectContaining({ company_id: second.id })]);
});
