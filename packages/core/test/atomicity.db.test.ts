// Risk: a connection that breaks in the middle leaves a change without its event, audit row or delivery, or these alone.
import { operations } from '@finhook/contracts';
import { type FaultProxy, startFaultProxy } from '@finhook/testing';
import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openAccount } from '../src/modules/accounts/account.ts';
import { applyHealth } from '../src/modules/deliveries/apply-health.ts';
import { recordAttempts } from '../src/modules/deliveries/record-attempts.ts';
import { openCore } from '../src/open-core.ts';
import type { Context, Core } from '../src/verbs/context.ts';
import { attemptOf, claimOne, findDueIds, newEndpoint } from './attempt-of.ts';
import { type CoreFixture, openFixture } from './core-fixture.ts';
import { createStage, given, type Input, runOperation, type Stage } from './operation-stage.ts';
import { openRawClient, waitForIdle } from './raw-client.ts';
import { runIdempotent } from './run-idempotent.ts';
import { changesBetween, readTables } from './table-state.ts';

const { apiKeys, bank, cash, companies, events, financials, webhookEndpoints } = operations;
type Tables = Awaited<ReturnType<typeof readTables>>;

/** More statements than any verb has. */
const MAX_STATEMENTS = 40;

let fixture: CoreFixture;
let stage: Stage;
let proxy: FaultProxy;
let cutCore: Core;
let raw: pg.Client;
let endpoint: string;
let serial = 0;
beforeAll(async () => {
  fixture = await openFixture(inject('pgUrl'));
  stage = createStage(fixture.context, fixture.companyId);
  proxy = await startFaultProxy(fixture.database.url);
  // One connection, so that the n-th statement is the verb's own.
  cutCore = await openCore({
    databaseUrl: proxy.url,
    secretsKey: Buffer.alloc(32, 7).toString('base64'),
    allowInsecureWebhooks: true,
    poolSize: 1,
  });
  raw = await openRawClient(fixture.database.url);
  endpoint = await newEndpoint(fixture.context);
});
afterAll(async () => {
  await raw.end();
  await cutCore.database.close();
  await proxy.close();
  await fixture.close();
});

type Act = (context: Context) => Promise<unknown>;
const balance =
  (as_of: string, balance_cents: number, more: Input = {}): Act =>
  (c) =>
    runOperation(c, cash.balances.upsert, { company_id: stage.companyId, as_of, balance_cents, ...more });
const snapshot =
  (cash_cents: number): Act =>
  (c) =>
    runOperation(c, financials.snapshots.upsert, { company_id: stage.companyId, totals: { cash: cash_cents } });
const dayOf = (n: number) => new Date(Date.UTC(2020, 0, 1 + n)).toISOString().slice(0, 10);
const transactions =
  (name: string): Act =>
  (c) => {
    const row = { posted_at: '2026-01-01T00:00:00Z', amount_cents: 1 };
    const rows = ['a', 'b', 'a'].map((id) => ({ ...row, external_id: `${name}${id}` }));
    return runOperation(c, bank.transactions.ingest, { company_id: stage.companyId, transactions: rows });
  };
/** An event with its delivery to the endpoint. */
const makeEvent = async () => {
  const posted = { company_id: stage.companyId, as_of: '2026-05-05', balance_cents: ++serial };
  return (await stage.run(cash.balances.upsert, posted)).event_id;
};
const keyed =
  (key: string, act: Act): Act =>
  (c) =>
    runIdempotent(c, { key, body: 'x' }, act);
const unused = async () => newEndpoint(fixture.context, { events: ['company.dissolved'] });
const spent: string[] = [];

/**
 * One of each way to store a change; for each, makes what the verb works on, undisturbed, and returns the call that is then
 * cut. That other verbs are one transaction each is shown by who wrote their rows, in another file.
 */
const scenarios: Record<string, (n: number) => Promise<Act> | Act> = {
  openAccount: (n) => (c) => openAccount(c, { name: `a${n}`, mode: 'test', companyName: 'c' }),
  createCompany: () => (c) => runOperation(c, companies.create),
  'completeFormationStep, the last one': async () => {
    const { id, formation } = await stage.run(companies.create, { status: 'forming' });
    const [last, ...others] = formation.steps.filter(({ required }) => required).map(({ key }) => key);
    const step = (c: Context, step_key: unknown) =>
      runOperation(c, companies.formation.completeStep, { company_id: id, step_key });
    for (const key of others) await step(fixture.context, key);
    return (c) => step(c, last);
  },
  'upsertCashBalance, new': (n) => balance(dayOf(n), n),
  'upsertCashBalance, known': async (n) => {
    await balance('2026-01-01', -n)(fixture.context);
    return balance('2026-01-01', n);
  },
  'upsertCashBalance with a key': (n) => keyed(`balance${n}`, balance(dayOf(1_000 + n), n)),
  'upsertCashBalance, the first of a connection': async (n) => balance(dayOf(n), n, await given.connection(stage)),
  ingestTransactions: (n) => transactions(`t${n}`),
  'ingestTransactions with a key': (n) => keyed(`transactions${n}`, transactions(`k${n}`)),
  'upsertSnapshot, replacing': async (n) => {
    await snapshot(-n)(fixture.context);
    return snapshot(n);
  },
  rotateApiKey: async () => {
    const ids = await given.key(stage);
    return (c) => runOperation(c, apiKeys.rotate, { ...ids, overlap_seconds: 0 });
  },
  'deleteEndpoint with a delivery': async () => {
    const ids = { event_id: await makeEvent(), endpoint_id: await unused() };
    await stage.run(events.redeliver, ids);
    return (c) => runOperation(c, webhookEndpoints.delete, ids);
  },
  'applyHealth of a fifth failure': async () => {
    // An account has fifty at most, and this one is cut more often.
    for (const endpoint_id of spent.splice(0)) await stage.run(webhookEndpoints.delete, { endpoint_id });
    const endpointId = await unused();
    spent.push(endpointId);
    const outcomes = Array.from({ length: 5 }, (_, i) => ({ kind: 'failure' as const, at: new Date(Date.now() + i) }));
    const lastFailure = { statusCode: 500, message: 'no', eventId: 'evt_x' };
    return (c) => applyHealth(c, { accountId: c.accountId, endpointId, outcomes, lastFailure });
  },
  recordAttempts: async () => {
    await raw.query('DELETE FROM due');
    await makeEvent();
    const claim = await claimOne(fixture.core, endpoint);
    return (c) => recordAttempts(c, [attemptOf(claim, { kind: 'succeeded' })]);
  },
};

/** Cuts the verb at statement `n`; returns what changed since `before`, and whether it got that far. */
async function cutAt(act: Act, n: number, when: 'before' | 'after', before: Tables) {
  await cutCore.database.query('SELECT 1');
  const woken: string[] = [];
  const context: Context = {
    ...fixture.context,
    ...cutCore,
    database: cutCore.database.forAccount(fixture.context.accountId),
    queue: { leaseMs: () => 0, add: (_, endpoints) => void woken.push(...endpoints.map(({ id }) => id)) },
  };
  proxy.arm({ statement: n, when });
  const answered = await act(context).then(
    () => true,
    () => false,
  );
  const cut = proxy.wasCut();
  proxy.arm(undefined);
  await waitForIdle(raw);
  const tables = await readTables(raw);
  return { cut, answered, woken, tables, changes: changesBetween(before, tables) };
}

const isKeyedScenario = (name: string) => name.includes('with a key');

/** Whether the request of this number left an answer to be replayed. */
async function hasOutcome(n: number): Promise<boolean> {
  const { rows } = await raw.query('SELECT key FROM idempotency_key WHERE outcome IS NOT NULL AND key = ANY ($1)', [
    [`balance${n}`, `transactions${n}`],
  ]);
  return rows.length === 1;
}

/** The claim and the release of an idempotency key are transactions of their own, before and after the verb's. */
function withoutLease(changes: Record<string, number>, isKeyed: boolean): Record<string, number> {
  if (!isKeyed || Object.keys(changes).length > 1) return changes;
  const { idempotency_key: _, ...rest } = changes;
  return rest;
}

test.each(Object.entries(scenarios))(
  '%s, cut at every statement, leaves all of it or nothing',
  async (name, prepare) => {
    const isKeyed = isKeyedScenario(name);
    const prepared = async () => ({ act: await prepare(++serial), tables: await readTables(raw) });
    // How far it goes and what it changes when nothing breaks.
    let { act, tables } = await prepared();
    const whole = await cutAt(act, MAX_STATEMENTS, 'before', tables);
    expect([whole.cut, whole.answered]).toEqual([false, true]);
    const complete = Object.keys(whole.changes).length;
    expect(complete).toBeGreaterThan(1);
    ({ act, tables } = await prepared());
    let cuts = 0;
    let stored = 0;
    for (const when of ['before', 'after'] as const) {
      // A cut before a later statement leaves in the database what one after the statement before it leaves. Only where
      // the call is several transactions does the client go on differently.
      const last = when === 'before' && !isKeyed ? 1 : MAX_STATEMENTS - 1;
      for (let n = 1; n <= last; n++) {
        const result = await cutAt(act, n, when, tables);
        if (!result.cut) break;
        cuts += 1;
        const changes = withoutLease(result.changes, isKeyed);
        const isAll = Object.keys(changes).length === complete;
        const expected = isAll ? whole.changes : {};
        expect(changes, `${when} statement ${n}`).toEqual(expected);
        if (isKeyed) expect(await hasOutcome(serial), `${when} statement ${n}`).toBe(isAll);
        if (isAll) stored += 1;
        // Nothing that was not answered wakes anybody: the reconciler finds it.
        if (!result.answered) expect(result.woken).toEqual([]);
        // What left nothing can be asked again as it is, except with a key, which its lease still holds.
        if (isAll || isKeyed) ({ act, tables } = await prepared());
      }
    }
    expect(cuts).toBeGreaterThanOrEqual(2);
    expect(stored).toBeGreaterThanOrEqual(1);
  },
);

test('what was stored without its response arriving is found by the reconciler', async () => {
  await raw.query('DELETE FROM due');
  const act = balance('2026-02-02', 1);
  const lost = await cutAt(act, 1, 'after', await readTables(raw));
  expect([lost.cut, lost.answered, lost.changes['due'], lost.woken]).toEqual([true, false, 1, []]);
  expect(await findDueIds(fixture.core, 0)).toEqual([endpoint]);
});
