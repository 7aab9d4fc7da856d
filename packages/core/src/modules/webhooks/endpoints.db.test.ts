// Risk: an endpoint gets other events than its own, shares a secret, or sends after its deletion.
import { beforeEach, expect, test } from 'vitest';
import { attemptOf, claimAll, findDueIds } from '../../../test/attempt-of.ts';
import { useFixture } from '../../../test/core-fixture.ts';
import { openRawClient, waitForBlocked } from '../../../test/raw-client.ts';
import { emit } from '../../outbox/emit.ts';
import { transaction } from '../../outbox/transaction.ts';
import type { Context } from '../../verbs/context.ts';
import { createApiKey } from '../accounts/api-keys/create.ts';
import { listActivity } from '../activity/list.ts';
import { createAgent } from '../agents/create.ts';
import { createConnection } from '../bank/connections/create.ts';
import { upsertCashBalance } from '../cash/balances/upsert.ts';
import { createCompany } from '../companies/create.ts';
import { getCompany } from '../companies/read.ts';
import { loadTargets } from '../deliveries/load-targets.ts';
import { getDelivery, listDeliveries } from '../deliveries/read.ts';
import { recordAttempts } from '../deliveries/record-attempts.ts';
import { retryDelivery } from '../deliveries/retry.ts';
import { createEndpoint } from './create.ts';
import { cancelDeliveriesOfDeleted, deleteEndpoint } from './delete.ts';
import { getEndpoint, listEndpoints } from './read.ts';
import { updateEndpoint } from './update.ts';

const fixture = useFixture();
let context: Context;
let company: string;
beforeEach(async () => {
  ({ context, companyId: company } = await fixture.otherAccount());
});

const url = 'http://127.0.0.1:4010/hook';
const post = (company_id = company) =>
  upsertCashBalance(context, { company_id, as_of: '2026-01-10', balance_cents: 1, currency: 'USD' });
const typesFor = async (endpoint_id: string) =>
  (await listDeliveries(context, { limit: 50, order: 'asc', endpoint_id })).data.map(({ event_type }) => event_type);

test('every endpoint has a secret of its own, with 32 random bytes', async () => {
  const secrets: string[] = [];
  for (let i = 0; i < 10; i++) secrets.push((await createEndpoint(context, { url })).secret);
  expect(new Set(secrets).size).toBe(10);
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_/);
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
  }
});

test('a key that may not write endpoints neither sees nor finds the query of a url, in the activity log as little', async () => {
  const endpoint = await createEndpoint(context, { url: `${url}?token=canary`, company_id: company });
  await updateEndpoint(context, { endpoint_id: endpoint.id, url: `${url}?token=canary2` });
  const page = { limit: 50, order: 'asc' } as const;
  const readAs = async (caller: Context) => [
    await getEndpoint(caller, { endpoint_id: endpoint.id }),
    ...(await listEndpoints(caller, page)).data,
    ...(await listEndpoints(caller, { ...page, q: 'token=c' })).data,
    ...(await listActivity(caller, { ...page, resource_id: endpoint.id })).data,
  ];
  const reader: Context = { ...context, scope: 'read' };
  const restricted: Context = { ...context, access: { permissions: ['cash:write'], companyIds: [company] } };
  for (const caller of [reader, restricted]) {
    const read = await readAs(caller);
    expect(read).toHaveLength(4);
    expect(JSON.stringify(read)).not.toContain('canary');
    expect(read[0]).toMatchObject({ url });
    expect(read[3]).toMatchObject({ before: { url }, after: { url } });
  }
  const whole = await readAs(context);
  expect(whole).toHaveLength(5);
  expect(whole[4]).toMatchObject({ before: { url: `${url}?token=canary` }, after: { url: `${url}?token=canary2` } });
});

test('the secret of one endpoint, moved to the row of another, opens nothing', async () => {
  const [a, b] = [await createEndpoint(context, { url }), await createEndpoint(context, { url })];
  expect(
    (
      await loadTargets(fixture.core, [
        { id: a.id, accountId: context.accountId },
        { id: b.id, accountId: context.accountId },
      ])
    )
      .map(({ secret }) => secret())
      .toSorted(),
  ).toEqual([a.secret, b.secret].toSorted());
  await fixture.core.database.query(
    'UPDATE webhook_endpoint SET secret = (SELECT secret FROM webhook_endpoint WHERE id = $1) WHERE id = $2',
    [a.id, b.id],
  );
  const [swapped] = await loadTargets(fixture.core, [{ id: b.id, accountId: context.accountId }]);
  expect(() => swapped?.secret()).toThrow();
  expect(
    (await loadTargets(fixture.core, [{ id: a.id, accountId: context.accountId }])).map(({ secret }) => secret()),
  ).toEqual([a.secret]);
});

test('an endpoint gets the types and the company that it asked for, from its creation on', async () => {
  await post();
  const all = await createEndpoint(context, { url, events: [] });
  const keys = await createEndpoint(context, { url, events: ['api_key.created'] });
  const restricted = await createEndpoint(context, { url, events: null, company_id: company });
  const other = await createCompany(context, { name: 'Other' });
  await post(other.id);
  await post();
  await createApiKey(context, { name: 'k', scope: 'read' });
  expect(await typesFor(all.id)).toEqual([
    'company.created',
    'bank.balance.updated',
    'bank.balance.updated',
    'api_key.created',
  ]);
  expect(await typesFor(keys.id)).toEqual(['api_key.created']);
  expect(await typesFor(restricted.id)).toEqual(['bank.balance.updated']);
});

test('an event of one account goes to no endpoint of another', async () => {
  const mine = await createEndpoint(context, { url });
  const foreign = await fixture.otherAccount();
  const theirs = await createEndpoint(foreign.context, { url });
  await post();
  expect([(await claimAll(fixture.core, mine.id)).length, (await claimAll(fixture.core, theirs.id)).length]).toEqual([
    1, 0,
  ]);
});

test('unknown event types and urls are rejected together, each with its place', async () => {
  const rejected = createEndpoint(context, { url: 'not a url', events: ['company.created', 'company.craeted'] });
  await expect(rejected).rejects.toMatchObject({
    code: 'validation_failed',
    fields: [
      { pointer: '/url', code: 'invalid_url' },
      { pointer: '/events/1', code: 'unknown_event_type', message: expect.stringContaining('company.created') },
    ],
  });
});

test('a wildcard gets the types of its group and how to ask for all, and no name gets an absurd suggestion', async () => {
  const events = ['filing.*', '*', 'company', 'bank.balance.update', 'invoice.paid'];
  const reason = await createEndpoint(context, { url, events }).catch((error: unknown) => error);
  expect(Reflect.get(Object(reason), 'fields').map(({ message }: { message: string }) => message)).toEqual([
    '"filing.*" is not an event type: wildcards and prefixes are not supported; name filing.due, filing.submitted, filing.reopened, or send [] for all types',
    '"*" is not an event type: wildcards and prefixes are not supported; send [] for all types',
    expect.stringContaining(
      'name company.created, company.updated, company.dissolved, company.formation.step_completed, or',
    ),
    '"bank.balance.update" is not an event type; did you mean bank.balance.updated?',
    '"invoice.paid" is not an event type; GET /api/v1/event-types lists all of them',
  ]);
});

test('an account has a quota for each resource, also when two are created at once, and its operator sets it', async () => {
  const set = (quotas: object) =>
    fixture.core.database.query('UPDATE account SET quotas = quotas || $2 WHERE id = $1', [
      context.accountId,
      JSON.stringify(quotas),
    ]);
  const company_id = (await createCompany(context, { name: 'Quota' })).id;
  const creations = {
    api_keys: () => createApiKey(context, { name: 'One', scope: 'read' }),
    companies: () => createCompany(context, { name: 'One' }),
    agents: () => createAgent(context, { name: 'One', provider: 'test' }),
    connections: () => createConnection(context, { company_id, provider: 'sandbox' }),
  };
  for (const [resource, create] of Object.entries(creations)) {
    const table = { api_keys: 'api_key', companies: 'company', agents: 'agent', connections: 'bank_connection' }[
      resource
    ];
    const [row] = await fixture.core.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${table} WHERE account_id = $1`,
      [context.accountId],
    );
    const limit = (row?.count ?? 0) + 1;
    await set({ [resource]: limit });
    const results = await Promise.allSettled([create(), create(), create()]);
    const rejections = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason);
    const rejection = { code: 'limit_reached', extra: { resource, limit } };
    expect([resource, rejections]).toMatchObject([resource, [rejection, rejection]]);
    if (resource === 'agents')
      expect(rejections[0]).toMatchObject({ message: expect.stringContaining('attach it again') });
    await set({ [resource]: limit + 1 });
    await create();
  }
  await expect(set({ company: 5 })).rejects.toThrow(/quotas/);
  await expect(set({ companies: 'many' })).rejects.toThrow(/quotas/);
});

test('an account has at most 50 endpoints, also when they are created at once; a deleted one makes room', async () => {
  for (let i = 0; i < 48; i++) await createEndpoint(context, { url });
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => createEndpoint(context, { url })));
  const rejections = results.filter((result) => result.status === 'rejected');
  expect(rejections).toHaveLength(3);
  for (const { reason } of rejections) expect(reason).toMatchObject({ code: 'limit_reached', extra: { limit: 50 } });
  const [first] = (await listEndpoints(context, { limit: 1, order: 'asc' })).data;
  await deleteEndpoint(context, { endpoint_id: first?.id ?? '' });
  await createEndpoint(context, { url });
});

test('deleting an endpoint cancels pending deliveries, wipes its secret, and keeps its deliveries listed', async () => {
  const endpoint = await createEndpoint(context, { url });
  const kept = await createEndpoint(context, { url });
  for (let i = 0; i < 4; i++) await post();
  const [delivered, failed, leased] = await claimAll(fixture.core, endpoint.id, 3);
  if (!delivered || !failed || !leased) throw new Error('Three deliveries should have been due.');
  await recordAttempts(fixture.core, [
    attemptOf(delivered, { kind: 'succeeded' }),
    attemptOf(failed, { kind: 'retry', delayMs: 1000 }),
  ]);
  expect(await deleteEndpoint(context, { endpoint_id: endpoint.id })).toBeNull();

  const deliveries = (await listDeliveries(context, { limit: 50, order: 'asc' })).data;
  const ofDeleted = deliveries.filter(({ endpoint_id }) => endpoint_id === endpoint.id);
  const filtered = await listDeliveries(context, { limit: 50, order: 'asc', endpoint_id: endpoint.id });
  expect(filtered.data).toEqual(ofDeleted);
  const statuses = ofDeleted.map(({ status }) => status);
  expect(statuses.toSorted()).toEqual(['cancelled', 'cancelled', 'cancelled', 'succeeded']);
  const [row] = await fixture.core.database.query(
    'SELECT secret, deleted_at IS NOT NULL AS deleted FROM webhook_endpoint WHERE id = $1',
    [endpoint.id],
  );
  expect(row).toEqual({ secret: null, deleted: true });
  expect(await claimAll(fixture.core, endpoint.id)).toEqual([]);
  expect(await claimAll(fixture.core, kept.id)).toHaveLength(4);

  // The in-flight attempt is logged, and the delivery stays cancelled.
  expect(await recordAttempts(fixture.core, [attemptOf(leased, { kind: 'retry', delayMs: 0 })])).toEqual(new Set());
  expect(await getDelivery(context, { delivery_id: leased.deliveryId })).toMatchObject({
    status: 'cancelled',
    attempts: [{ n: 1 }],
  });
  await expect(retryDelivery(context, { delivery_id: leased.deliveryId })).rejects.toMatchObject({
    code: 'invalid_state_transition',
  });
  await post();
  expect(await typesFor(kept.id)).toHaveLength(5);
  expect(await claimAll(fixture.core, endpoint.id)).toEqual([]);
});

test('a deleted endpoint is gone for every verb', async () => {
  const { id } = await createEndpoint(context, { url });
  await deleteEndpoint(context, { endpoint_id: id });
  const gone = { code: 'not_found' };
  await expect(getEndpoint(context, { endpoint_id: id })).rejects.toMatchObject(gone);
  await expect(updateEndpoint(context, { endpoint_id: id, status: 'active' })).rejects.toMatchObject(gone);
  await expect(deleteEndpoint(context, { endpoint_id: id })).rejects.toMatchObject(gone);
  expect((await listEndpoints(context, { limit: 50, order: 'asc' })).data).toEqual([]);
  expect(await loadTargets(fixture.core, [{ id, accountId: context.accountId }])).toEqual([]);
});

test('a paused endpoint keeps due deliveries, gets new events, and is woken when it resumes', async () => {
  const { id } = await createEndpoint(context, { url });
  await post();
  await updateEndpoint(context, { endpoint_id: id, status: 'paused' });
  await post();
  expect(await loadTargets(fixture.core, [{ id, accountId: context.accountId }])).toEqual([]);
  expect(await claimAll(fixture.core, id)).toEqual([]);
  expect(await findDueIds(fixture.core, 0)).not.toContain(id);
  fixture.woken.length = 0;
  await updateEndpoint(context, { endpoint_id: id, status: 'active' });
  expect(fixture.woken).toEqual([id]);
  expect(
    (await loadTargets(fixture.core, [{ id, accountId: context.accountId }])).map(({ endpointId }) => endpointId),
  ).toEqual([id]);
  expect(await claimAll(fixture.core, id)).toHaveLength(2);
});

test('a delivery that commits after its endpoint was deleted is cancelled by the housekeeping', async () => {
  const endpoint = await createEndpoint(context, { url });
  const record = await getCompany(context, { company_id: company });
  const raw = await openRawClient(fixture.database.url);
  await raw.query('BEGIN');
  await raw.query('SELECT FROM account_sequence WHERE account_id = $1 FOR UPDATE', [context.accountId]);
  const deleted = deleteEndpoint(context, { endpoint_id: endpoint.id });
  await waitForBlocked(raw);
  const writer = transaction(context, { records: 'audit and event' }, async (tx) => {
    emit(tx, context, { type: 'company.created', companyId: company, data: record });
  });
  await waitForBlocked(raw, 2);
  await raw.query('COMMIT');
  await Promise.all([deleted, writer, raw.end()]);
  expect(await cancelDeliveriesOfDeleted(fixture.core)).toBe(1);
  expect(await cancelDeliveriesOfDeleted(fixture.core)).toBe(0);
  const { data } = await listDeliveries(context, { limit: 50, order: 'desc' });
  expect(data.filter(({ endpoint_id }) => endpoint_id === endpoint.id).map(({ status }) => status)).toEqual([
    'cancelled',
  ]);
});

test('a delivery that was put off by the receiver of another url is due for the new one; other waits stay', async () => {
  const endpoint = await createEndpoint(context, { url });
  await post();
  await createApiKey(context, { name: 'k', scope: 'read' });
  const [putOff, failed] = await claimAll(fixture.core, endpoint.id);
  if (!putOff || !failed) throw new Error('Two deliveries are due.');
  const later = { kind: 'retry', delayMs: 3_600_000 } as const;
  await recordAttempts(fixture.core, [{ ...attemptOf(putOff, later), statusCode: 429 }, attemptOf(failed, later)]);
  const nextOf = async (id: string) => (await getDelivery(context, { delivery_id: id })).next_attempt_at ?? '';
  await updateEndpoint(context, { endpoint_id: endpoint.id, description: 'the same url' });
  expect((await nextOf(putOff.deliveryId)) > new Date().toISOString()).toBe(true);
  await updateEndpoint(context, { endpoint_id: endpoint.id, url: `${url}/new` });
  const due = await claimAll(fixture.core, endpoint.id);
  expect(due.map(({ deliveryId, trigger }) => [deliveryId, trigger])).toEqual([[putOff.deliveryId, 'automatic']]);
  expect((await nextOf(failed.deliveryId)) > new Date().toISOString()).toBe(true);
});

test.each([
  ['succeeded', 'succeeded', 200, null],
  ['retry', 'cancelled', 500, 'http_500'],
] as const)('a request in flight while its endpoint is deleted is recorded: %s', async (kind, status, code, error) => {
  const endpoint = await createEndpoint(context, { url });
  await post();
  const [claim] = await claimAll(fixture.core, endpoint.id);
  if (!claim) throw new Error('A delivery is due.');
  await deleteEndpoint(context, { endpoint_id: endpoint.id });
  const held = await recordAttempts(fixture.core, [
    attemptOf(claim, kind === 'retry' ? { kind, delayMs: 0 } : { kind }),
  ]);
  expect(held.size).toBe(0);
  expect(await getDelivery(context, { delivery_id: claim.deliveryId })).toMatchObject({
    status,
    attempt_count: 1,
    last_status_code: code,
    last_error: error,
    endpoint_status: 'deleted',
    attempts: [{ n: 1 }],
  });
});

test('a second endpoint that sends the same events to the same url is created with a warning that names the first', async () => {
  const first = await createEndpoint(context, { url, events: ['company.created'] });
  expect(first.warnings).toBeUndefined();
  const other = await createEndpoint(context, { url, events: ['bank.balance.updated'] });
  expect(other.warnings).toBeUndefined();
  const all = await createEndpoint(context, { url });
  expect(all.warnings).toMatchObject([{ code: 'same_url', pointer: '/url' }]);
  expect(all.warnings?.[0]?.message).toContain(first.id);
  expect(all.warnings?.[0]?.message).toContain(other.id);
  await deleteEndpoint(context, { endpoint_id: all.id });
  expect((await createEndpoint(context, { url: `${url}/other` })).warnings).toBeUndefined();
  expect((await createEndpoint(context, { url, events: ['case.comment_posted'] })).warnings).toBeUndefined();
});
