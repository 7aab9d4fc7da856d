// Risk: a change is stored in parts, leaves another trace than its operation promises, or is made once more by each repeat.
import { type Operation, operationList, operations } from '@finhook/contracts';
import { beforeEach, describe, expect, test } from 'vitest';
import { openSession } from '../src/modules/sessions/open-session.ts';
import { atOnce } from './at-once.ts';
import { claimAll, settle } from './attempt-of.ts';
import { useFixture } from './core-fixture.ts';
import { after, createStage, given, type Input, only, type Prepare, type Stage, url } from './operation-stage.ts';
import { useRawClient } from './raw-client.ts';
import { readFeed } from './read-all.ts';
import { readAudits } from './read-audits.ts';
import { runIdempotent } from './run-idempotent.ts';
import { changesBetween, readTables } from './table-state.ts';

const { apiKeys, agents, bank, cash, deliveries, directives, filings } = operations;
const { replays, webhookEndpoints } = operations;

/** What an operation works on, and whether calls of one input at once make one change. */
interface Case {
  prepare?: Prepare;
  once?: true;
  /** A table that a transaction of its own writes before the change. */
  before?: string;
}
const once = (prepare: Prepare): Case => ({ prepare, once: true });
const each = (prepare: Prepare): Case => ({ prepare });

const token = async (stage: Stage) => after(given.connection, bank.connections.setSecret)(stage);
/** A delivery of a balance to an endpoint that wants them. */
const delivery: Prepare = async ({ run, companyId: company_id }) => {
  const { id: endpoint_id } = await run(webhookEndpoints.create, { url, events: ['bank.balance.updated'] });
  const { event_id } = await run(cash.balances.upsert, { company_id });
  const { data } = await run(deliveries.list, { event_id });
  return { endpoint_id, event_id, delivery_id: data[0]?.id };
};
const attempted: Prepare = async (stage) => {
  const { endpoint_id, ...ids } = await delivery(stage);
  await settle(stage.context, await claimAll(stage.context, String(endpoint_id)));
  return ids;
};
const waiting: Prepare = async (stage) => {
  const ids = await delivery(stage);
  const sql = "UPDATE due SET due_at = now() + interval '1 hour' WHERE delivery_id = $1";
  await stage.context.database.query(sql, [ids['delivery_id']]);
  return ids;
};
const session: Prepare = async ({ context, run }) => {
  const { id: keyId } = await run(apiKeys.create, { scope: 'human' });
  const opened = await openSession({ ...context, keyId }, undefined);
  return { session_id: opened.context.sessionId };
};

/** Every operation that changes something: one without a row here fails a test. */
const table: Record<string, Case> = {
  'companies.create': {},
  'companies.update': once(given.company),
  'companies.dissolve': once(given.company),
  'companies.formation.completeStep': once(given.forming),
  'cash.balances.upsert': each(given.company),
  'bank.transactions.ingest': each(given.company),
  'bank.transactions.update': once(given.transaction),
  'bank.transactions.bulk': once(only(given.transaction, 'company_id')),
  'bank.connections.create': each(given.company),
  'bank.connections.setSecret': once(given.connection),
  'bank.connections.sync': once(token),
  'bank.connections.setOwner': once(async (stage) => ({
    ...(await given.company(stage)),
    ...(await given.connection(stage)),
    key_id: (await stage.run(apiKeys.create, { scope: 'ingest' })).id,
  })),
  'bank.connections.disconnect': once(token),
  'bank.wires.create': each(given.company),
  'bank.approvals.decide': once(given.wire),
  'bank.approvals.cancel': once(given.wire),
  'financials.snapshots.upsert': each(given.company),
  'financials.settings.update': once(given.company),
  'fxRates.put': { once: true },
  'filings.create': each(given.company),
  'filings.submit': once(given.filing),
  'filings.reopen': once(after(given.filing, filings.submit)),
  'compliance.resync': each(given.company),
  'cases.create': each(given.company),
  'cases.update': once(given.case),
  'cases.comments.create': each(given.case),
  'directives.create': each(given.company),
  'directives.suspend': once(given.directive),
  'directives.resume': once(after(given.directive, directives.suspend)),
  'directives.resolve': once(given.directive),
  'webhookEndpoints.create': each(async () => ({ url })),
  'webhookEndpoints.update': once(given.endpoint),
  'webhookEndpoints.delete': once(only(delivery, 'endpoint_id')),
  'webhookEndpoints.test': each(given.endpoint),
  'webhookEndpoints.rotateSecret': each(given.endpoint),
  'webhookEndpoints.completeRotation': once(after(given.endpoint, webhookEndpoints.rotateSecret)),
  'webhookEndpoints.ping': { prepare: given.endpoint, before: 'webhook_endpoint' },
  'webhookEndpoints.recover': each(given.endpoint),
  'webhookEndpoints.replay': each(given.endpoint),
  'replays.pause': once(given.replay),
  'replays.resume': once(after(given.replay, replays.pause)),
  'replays.cancel': once(given.replay),
  'agents.create': each(given.company),
  'agents.update': once(given.agent),
  'agents.pause': once(given.binding),
  'agents.resume': once(after(given.binding, agents.pause)),
  'agents.attach': once(after(given.binding, agents.detach)),
  'agents.detach': once(given.binding),
  'agentActions.create': once(async (stage) => ({ ...(await given.binding(stage)), external_id: 'same' })),
  'agentActions.update': once(given.action),
  'agentApprovals.request': each(given.binding),
  'agentApprovals.decide': once(given.agentApproval),
  'agentApprovals.cancel': once(given.agentApproval),
  'agentFlags.create': each(given.binding),
  'agentFlags.resolve': once(given.flag),
  'runtimeSnapshots.put': each(given.binding),
  'apiKeys.create': {},
  'apiKeys.rotate': once(given.key),
  'apiKeys.revoke': once(given.key),
  'sessions.revoke': once(session),
  'events.redeliver': each(only(delivery, 'event_id')),
  'events.purgeEvidence': once(attempted),
  'deliveries.retry': each(waiting),
};

/** Every transaction that begins from now on has this id or a later one. */
async function readNextTransaction(): Promise<number> {
  const sql = 'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next';
  return Number((await raw.query<{ next: string }>(sql)).rows[0]?.next);
}

const mutations = operationList.filter(({ kind }) => kind === 'mutation');

test('every operation that changes something is listed here', () => {
  expect(Object.keys(table).toSorted()).toEqual(mutations.map(({ id }) => id).toSorted());
});

const fixture = useFixture();
const raw = useRawClient(fixture);
let stage: Stage;
beforeEach(async () => {
  const { context, companyId } = await fixture.otherAccount();
  stage = createStage(context, companyId);
  // Each event has a delivery.
  await stage.run(webhookEndpoints.create, { url, events: [] });
});

const prepare = async ({ id }: Operation): Promise<Input> => (await table[id]?.prepare?.(stage)) ?? {};
/** The audit rows and events of the account since a call of this. */
async function watch() {
  const read = async () => ({
    rows: await readAudits(stage.context, {}, 'action', 'company_id'),
    feed: await readFeed(stage.context),
  });
  const before = await read();
  return async () => {
    const { rows, feed } = await read();
    return { rows: rows.slice(before.rows.length), feed: feed.slice(before.feed.length) };
  };
}

describe.each(mutations)('$id', (operation) => {
  test('is one transaction with one audit row, its events and the response to its repeat', async () => {
    const input = await prepare(operation);
    const readTraces = await watch();
    const next = await readNextTransaction();
    const request = { key: 'k', body: '', secret: operation.secretOutput ?? false };
    const { outcome } = await runIdempotent(stage.context, request, (context) =>
      createStage(context, stage.companyId).run(operation, input),
    );
    const written = [...(await readTables(raw))].filter(
      ([name, { writer }]) => Number(writer) >= next && name !== table[operation.id]?.before,
    );
    const names = written.map(([name]) => name);
    expect(names).toEqual(expect.arrayContaining(['audit_log', 'idempotency_key']));
    // Whatever the rows are, the same transaction wrote them.
    expect(new Set(written.map(([, { writer }]) => writer)).size, names.join()).toBe(1);

    const { rows, feed } = await readTraces();
    expect(rows.map(({ action }) => action)).toEqual([operation.id]);
    const promised = operation.emits.filter((type) => feed.some((event) => event.type === type));
    expect(new Set(feed.map(({ type }) => type))).toEqual(new Set(promised));
    expect(feed.length > 0).toBe(operation.emits.length > 0);
    for (const event of feed) expect(event.company_id ?? null).toBe(rows[0]?.company_id);
    expect(outcome.ok).toBe(true);
  });
});

test.each(mutations.filter(({ id }) => table[id]?.once))(
  'of many calls of $id at once, one takes effect',
  async (operation) => {
    const input = await prepare(operation);
    const readTraces = await watch();
    const { results } = await atOnce(8, () => stage.run(operation, input));
    expect(results.length).toBeGreaterThan(0);
    const { rows, feed } = await readTraces();
    expect(rows.map(({ action }) => action)).toEqual([operation.id]);
    const types = feed.map(({ type }) => type);
    expect(new Set(types).size, types.join()).toBe(types.length);
  },
);

test('whatever may be rejected for a dissolved company is, and changes nothing; it can still be read', async () => {
  const rejectable = mutations.filter(({ errors }) => errors.includes('company_dissolved'));
  expect(rejectable.length).toBeGreaterThan(30);
  const calls: [Operation, Input][] = [];
  for (const operation of rejectable) calls.push([operation, await prepare(operation)]);
  await raw.query("UPDATE company SET status = 'dissolved' WHERE account_id = $1", [stage.context.accountId]);
  const before = await readTables(raw);
  for (const [operation, input] of calls) {
    const dissolved = { code: 'company_dissolved', status: 409 };
    await expect(stage.run(operation, input), operation.id).rejects.toMatchObject(dissolved);
  }
  expect(changesBetween(before, await readTables(raw))).toEqual({});
  // Reading goes on.
  const { companyId: company_id } = stage;
  const reads = operationList.filter(({ kind, http: { path } }) => {
    return kind === 'query' && path.includes('{company_id}') && !path.replace('{company_id}', '').includes('{');
  });
  expect(reads.length).toBeGreaterThan(15);
  for (const operation of reads) await stage.run(operation, { company_id });
});
