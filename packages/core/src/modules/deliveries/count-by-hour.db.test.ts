// Risk: the histogram of deliveries shows another number than the list with the same filters.
import { operations } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { beforeAll, expect, test } from 'vitest';
import { claimAll, newEndpoint, settle } from '../../../test/attempt-of.ts';
import { useFixture } from '../../../test/core-fixture.ts';
import { createStage, type Input, type Stage } from '../../../test/operation-stage.ts';
import { createApiKey } from '../accounts/api-keys/create.ts';
import { createCase } from '../cases/case.ts';
import { createCompany } from '../companies/create.ts';
import { updateCompany } from '../companies/update.ts';

const HOUR = 3_600_000;
const start = '2026-11-25T00:30:00.000Z';
const clock = createTestClock(start);
const fixture = useFixture(clock);
const run: Stage['run'] = (operation, input) => createStage(fixture.context, fixture.companyId).run(operation, input);
const { counts, list, get } = operations.deliveries;
let endpoint_id: string;
let company_id: string;

const after = (hours: number): string => new Date(Date.parse(start) + hours * HOUR).toISOString();

beforeAll(async () => {
  const { context, core } = fixture;
  endpoint_id = await newEndpoint(context);
  await newEndpoint(context, { events: ['company.created', 'company.updated'] });
  for (let hour = 0; hour < 30; hour++) {
    clock.set(after(hour));
    await createApiKey(context, { name: `k${hour}`, scope: 'read' });
    if (hour % 4 === 0) ({ id: company_id } = await createCompany(context, { name: `c${hour}` }));
    if (hour % 8 === 7) await updateCompany(context, { company_id, name: `renamed ${hour}` });
  }
  const claims = await claimAll(core, endpoint_id);
  const third = (n: number) => claims.filter((_, i) => i % 4 === n);
  await settle(core, third(0));
  await settle(core, third(1), { kind: 'failed' });
  await settle(core, third(2), { kind: 'retry', delayMs: HOUR });
  const cancel = "UPDATE delivery SET status = 'cancelled' WHERE event_type = 'company.updated'";
  await core.database.query(cancel);
});

/** The rows of the list by the hour of their creation, counted in plain code. */
async function countListed(filter: Input): Promise<object[]> {
  const { data } = await run(list, { limit: 200, ...filter });
  const kinds = {
    pending: 'waiting',
    retrying: 'waiting',
    succeeded: 'succeeded',
    failed: 'failed',
    cancelled: 'cancelled',
  };
  const byHour = Map.groupBy(data, ({ created_at }) => `${created_at.slice(0, 13)}:00:00.000Z`);
  return [...byHour]
    .map(([hour, rows]) => {
      const sums = { hour, succeeded: 0, failed: 0, waiting: 0, cancelled: 0 };
      for (const { status } of rows) sums[kinds[status] as 'waiting'] += 1;
      return sums;
    })
    .sort((a, b) => (a.hour < b.hour ? -1 : 1));
}

const filled = ({
  succeeded,
  failed,
  waiting,
  cancelled,
}: Record<'succeeded' | 'failed' | 'waiting' | 'cancelled', number>) => succeeded + failed + waiting + cancelled > 0;

test('each hour has the deliveries of the list with the same filters', async () => {
  const one = (await run(list, { event_type: 'company.created', limit: 1 })).data[0];
  const filters: Input[] = [
    {},
    { endpoint_id },
    { event_type: 'company.created' },
    { company_id },
    { event_id: one?.event_id },
    { resource_id: company_id },
    { response_code: 500 },
    { response_code: 200, event_type: 'api_key.created' },
    { updated_since: after(29) },
    ...['pending', 'retrying', 'succeeded', 'failed', 'cancelled', 'undelivered'].map((status) => ({ status })),
    { created_from: after(2.25), created_to: after(20.75) },
  ];
  for (const filter of filters) {
    const time = { created_from: after(-1), created_to: after(40), ...filter };
    const { hours } = await run(counts, time);
    const expected = await countListed(time);
    expect([filter, hours.filter(filled)]).toEqual([filter, expected]);
    expect(expected.length).toBeGreaterThan(0);
  }
});

test('all hours of the time are there, the empty and the partial ones too, and by default it is the last day', async () => {
  const { hours, ...rest } = await run(counts, { created_from: after(40), created_to: after(43) });
  expect(rest).toEqual({ object: 'delivery_counts', from: after(40), to: after(43), counted_from: after(40) });
  expect(hours.map(({ hour }) => hour)).toEqual([40, 41, 42, 43].map((n) => after(n - 0.5)));
  expect(hours.filter(filled)).toEqual([]);
  clock.set(after(30));
  const day = await run(counts);
  expect([day.from, day.to, day.hours.length]).toEqual([after(6), after(30), 25]);
  expect(day.hours.filter(filled)).toEqual(await countListed({ created_from: after(6) }));
});

test('the time is at most seven days, and begins before it ends', async () => {
  expect((await run(counts, { created_from: after(0), created_to: after(7 * 24) })).hours).toHaveLength(7 * 24 + 1);
  for (const [created_from, created_to] of [
    [after(0), after(7 * 24 + 0.001)],
    [after(1), after(1)],
    [after(1), '1969-12-31T00:00:00Z'],
    ['0001-01-01T00:00:00Z', undefined],
  ])
    await expect(run(counts, { created_from, created_to })).rejects.toMatchObject({
      code: 'validation_failed',
      fields: [{ pointer: '/created_from', code: 'out_of_range' }],
    });
});

test('a caller counts only the deliveries of its companies, and an unknown endpoint is not found', async () => {
  const limited = createStage({ ...fixture.context, access: { companyIds: [company_id] } }, company_id);
  const time = { created_from: after(-1), created_to: after(40) };
  expect((await limited.run(counts, time)).hours.filter(filled)).toEqual(await countListed({ ...time, company_id }));
  const other = await fixture.otherAccount();
  const { hours } = await createStage(other.context, other.companyId).run(counts, time);
  expect(hours.filter(filled)).toEqual([]);
  await expect(run(counts, { endpoint_id: 'we_unknown' })).rejects.toMatchObject({ code: 'not_found' });
});

test('deliveries are found by the record of their events: a balance, a transaction, a case, an endpoint', async () => {
  const { context } = fixture;
  const { cash, bank, deliveries } = operations;
  const at = { as_of: clock.now().toISOString().slice(0, 10), connection_id: 'operating' };
  const posted = await run(cash.balances.upsert, { company_id, ...at });
  clock.advance(3 * HOUR);
  const again = await run(cash.balances.upsert, { company_id, ...at, balance_cents: 7 });
  await run(cash.balances.upsert, { company_id, ...at, connection_id: 'other' });
  clock.advance(3 * HOUR);
  const ingested = await run(bank.transactions.ingest, { company_id });
  await run(bank.transactions.ingest, {
    company_id,
    transactions: [{ external_id: 'x', posted_at: start, amount_cents: 1 }],
  });
  const txn = ingested.transactions[0]?.id;
  const opened = await createCase(context, { company_id, title: 'Odd' });
  const eventsOf = async (resource_id: unknown) =>
    (await run(deliveries.list, { resource_id, endpoint_id, order: 'asc' })).data.map(({ event_id }) => event_id);
  expect([again.id, await eventsOf(posted.id)]).toEqual([posted.id, [posted.event_id, again.event_id]]);
  expect(await eventsOf(txn)).toEqual([ingested.event_id]);
  await updateCompany(context, { company_id, name: 'Once more' });
  const changes = (await run(list, { company_id, endpoint_id, order: 'asc' })).data.filter(({ event_type }) =>
    event_type.startsWith('company.'),
  );
  expect([changes.length, await eventsOf(company_id)]).toEqual([2, changes.map(({ event_id }) => event_id)]);
  expect(await eventsOf(opened.id)).toEqual([]);
  expect(await eventsOf('bal_unknown')).toEqual([]);
  const other = await fixture.otherAccount();
  const stranger = createStage(other.context, other.companyId);
  await newEndpoint(other.context);
  expect((await stranger.run(list, { resource_id: posted.id })).data).toEqual([]);
  expect((await run(get, { delivery_id: (await run(list, { resource_id: txn })).data[0]?.id })).event_id).toBe(
    ingested.event_id,
  );
});
