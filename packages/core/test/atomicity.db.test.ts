// Risk: a connection that breaks in the middle leaves a change without its event, audit row or delivery, or these alone.
import { type FaultProxy, startFaultProxy } from '@finhook/testing';
import type pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Context, Core } from '../src/kernel/context.ts';
import { openAccount } from '../src/modules/accounts/account.ts';
import { createApiKey } from '../src/modules/accounts/api-keys/create.ts';
import { revokeApiKey } from '../src/modules/accounts/api-keys/revoke.ts';
import { rotateApiKey } from '../src/modules/accounts/api-keys/rotate.ts';
import { createAction } from '../src/modules/agent-runtime/actions/create.ts';
import { decideApproval } from '../src/modules/agent-runtime/approvals/decide.ts';
import { requestApproval } from '../src/modules/agent-runtime/approvals/request.ts';
import { putRuntimeSnapshot } from '../src/modules/agent-runtime/runtime-snapshots.ts';
import { createAgent } from '../src/modules/agents/create.ts';
import { pauseAgent } from '../src/modules/agents/pause.ts';
import { createConnection } from '../src/modules/bank/connections/create.ts';
import { disconnectConnection } from '../src/modules/bank/connections/disconnect.ts';
import { setConnectionSecret } from '../src/modules/bank/connections/set-secret.ts';
import { requestSync } from '../src/modules/bank/connections/sync.ts';
import { ingestTransactions } from '../src/modules/bank/transactions/ingest.ts';
import { createWire } from '../src/modules/bank/wires/create.ts';
import { cancelBankApproval, decideBankApproval } from '../src/modules/bank/wires/decide.ts';
import { createCase, updateCase } from '../src/modules/cases/case.ts';
import { createComment } from '../src/modules/cases/comments.ts';
import { createDirective } from '../src/modules/cases/directives/create.ts';
import { resolveDirective } from '../src/modules/cases/directives/move.ts';
import { upsertCashBalance } from '../src/modules/cash/balances/upsert.ts';
import { createCompany } from '../src/modules/companies/create.ts';
import { dissolveCompany } from '../src/modules/companies/dissolve.ts';
import { completeFormationStep } from '../src/modules/companies/formation/steps.ts';
import { updateCompany } from '../src/modules/companies/update.ts';
import { resyncCompliance } from '../src/modules/compliance/resync.ts';
import { applyHealth } from '../src/modules/deliveries/apply-health.ts';
import { recordAttempts } from '../src/modules/deliveries/record-attempts.ts';
import { retryDelivery } from '../src/modules/deliveries/retry.ts';
import { redeliverEvent } from '../src/modules/events/redeliver.ts';
import { testEndpoint } from '../src/modules/events/test-endpoint.ts';
import { createFiling } from '../src/modules/filings/create.ts';
import { submitFiling } from '../src/modules/filings/submit.ts';
import { upsertSnapshot } from '../src/modules/financials/statements/upsert.ts';
import { createEndpoint } from '../src/modules/webhooks/create.ts';
import { deleteEndpoint } from '../src/modules/webhooks/delete.ts';
import { updateEndpoint } from '../src/modules/webhooks/update.ts';
import { openCore } from '../src/open-core.ts';
import { attemptOf, claimOne, findDueIds } from './attempt-of.ts';
import { type CoreFixture, openFixture } from './core-fixture.ts';
import { openRawClient, waitForIdle } from './raw-client.ts';
import { runIdempotent } from './run-idempotent.ts';
import { changesBetween, readTables } from './table-state.ts';

type Tables = Awaited<ReturnType<typeof readTables>>;

/** More statements than any verb has. */
const MAX_STATEMENTS = 40;

let fixture: CoreFixture;
let proxy: FaultProxy;
let cutCore: Core;
let raw: pg.Client;
let endpoint: string;
let serial = 0;
beforeAll(async () => {
  fixture = await openFixture(inject('pgUrl'));
  proxy = await startFaultProxy(fixture.database.url);
  // One connection, so that the n-th statement is the verb's own.
  cutCore = await openCore({
    databaseUrl: proxy.url,
    secretsKey: Buffer.alloc(32, 7).toString('base64'),
    allowInsecureWebhooks: true,
    poolSize: 1,
  });
  raw = await openRawClient(fixture.database.url);
  endpoint = (await createEndpoint(fixture.context, { url: 'http://127.0.0.1:4010/hook' })).id;
});
afterAll(async () => {
  await raw.end();
  await cutCore.database.close();
  await proxy.close();
  await fixture.close();
});

type Act = (context: Context) => Promise<unknown>;
const url = 'http://127.0.0.1:4010/hook';
const balance =
  (as_of: string, balance_cents: number): Act =>
  (c) =>
    upsertCashBalance(c, { company_id: fixture.companyId, as_of, balance_cents, currency: 'USD' });
const snapshot =
  (period_end: string, cash: number): Act =>
  (c) =>
    upsertSnapshot(c, {
      company_id: fixture.companyId,
      statement_type: 'balance',
      period_end,
      currency: 'USD',
      totals: { cash },
    });
const dayOf = (n: number) => new Date(Date.UTC(2020, 0, 1 + n)).toISOString().slice(0, 10);
const transactions =
  (name: string): Act =>
  (c) =>
    ingestTransactions(c, {
      company_id: fixture.companyId,
      transactions: ['a', 'b', 'a'].map((id) => ({
        external_id: `${name}${id}`,
        posted_at: '2026-01-01T00:00:00Z',
        amount_cents: 1,
      })),
    });
const makeEndpoint = async () => (await createEndpoint(fixture.context, { url, events: ['company.dissolved'] })).id;
const spent: string[] = [];
const makeConnection = async (secret?: string) => {
  const { id } = await createConnection(fixture.context, { company_id: fixture.companyId, provider: 'sandbox' });
  if (secret !== undefined) await setConnectionSecret(fixture.context, { connection_id: id, secret });
  return id;
};
const makeDelivery = async () => {
  await balance('2026-05-05', ++serial)(fixture.context);
  const { rows } = await raw.query<{ id: string; event_id: string }>(
    'SELECT id, event_id FROM delivery ORDER BY id DESC LIMIT 1',
  );
  const [row] = rows;
  if (!row) throw new Error('There is no delivery.');
  return row;
};
const makeCase = async () => (await createCase(fixture.context, { company_id: fixture.companyId, title: 't' })).id;
const makeAgent = async () => {
  const company_id = fixture.companyId;
  const { id } = await createAgent(fixture.context, { name: 'a', provider: 'x', company_id });
  return { agent_id: id, company_id };
};
const keyed =
  (key: string, act: Act): Act =>
  (c) =>
    runIdempotent(c, { key, body: 'x' }, act);

const wireOf = () => ({
  company_id: fixture.companyId,
  amount_cents: 5_000_000,
  currency: 'USD',
  beneficiary: { name: 'B', account_last4: '0001' },
});
const otherPerson = (): Context => ({
  ...fixture.context,
  keyId: 'key_other',
  originId: 'key_other',
  personId: 'key_other',
  actor: { type: 'api_key', id: 'key_other' },
});

/** For each verb: makes what it works on, undisturbed, and returns the call that is then cut. */
const scenarios: Record<string, (n: number) => Promise<Act> | Act> = {
  openAccount: (n) => (c) => openAccount(c, { name: `a${n}`, mode: 'test', companyName: 'c' }),
  createCompany: (n) => (c) => createCompany(c, { name: `c${n}` }),
  'createCompany, forming': (n) => (c) => createCompany(c, { name: `c${n}`, status: 'forming' }),
  updateCompany: async (n) => {
    const { id } = await createCompany(fixture.context, { name: `u${n}` });
    return (c) => updateCompany(c, { company_id: id, timezone: 'Europe/Berlin' });
  },
  'completeFormationStep, the last one': async (n) => {
    const made = await createCompany(fixture.context, { name: `f${n}`, status: 'forming' });
    const [last = '', ...others] = made.formation.steps.filter(({ required }) => required).map(({ key }) => key);
    const step = (c: Context, step_key: string) => completeFormationStep(c, { company_id: made.id, step_key });
    for (const key of others) await step(fixture.context, key);
    return (c) => step(c, last);
  },
  dissolveCompany: async (n) => {
    const { id } = await createCompany(fixture.context, { name: `d${n}` });
    return (c) => dissolveCompany(c, { company_id: id });
  },
  createWire: () => (c) => createWire(c, wireOf()),
  decideBankApproval: async () => {
    const { id } = await createWire(otherPerson(), wireOf());
    return (c) => decideBankApproval(c, { approval_id: id, decision: 'approve' });
  },
  cancelBankApproval: async () => {
    const { id } = await createWire(otherPerson(), wireOf());
    return (c) => cancelBankApproval(c, { approval_id: id });
  },
  updateCase: async () => {
    const case_id = await makeCase();
    return (c) => updateCase(c, { case_id, status: 'closed' });
  },
  createComment: async () => {
    const case_id = await makeCase();
    return (c) => createComment(c, { case_id, body: 'b' });
  },
  'createComment, internal': async () => {
    const case_id = await makeCase();
    return (c) => createComment(c, { case_id, body: 'b', visibility: 'internal' });
  },
  resolveDirective: async () => {
    const { id } = await createDirective(fixture.context, { company_id: fixture.companyId, title: 't' });
    return (c) => resolveDirective(c, { directive_id: id });
  },
  createFiling: () => (c) =>
    createFiling(c, { company_id: fixture.companyId, type: 'license', due_date: '2026-03-01' }),
  submitFiling: async () => {
    const filing = { company_id: fixture.companyId, type: 'license' as const, due_date: '2026-03-01' };
    const { id } = await createFiling(fixture.context, filing);
    return (c) => submitFiling(c, { filing_id: id });
  },
  resyncCompliance: async (n) => {
    const { id } = await createCompany(fixture.context, { name: `m${n}` });
    return (c) => resyncCompliance(c, { company_id: id });
  },
  'upsertCashBalance, new': (n) => balance(dayOf(n), n),
  'upsertCashBalance, known': async (n) => {
    await balance('2026-01-01', -n)(fixture.context);
    return balance('2026-01-01', n);
  },
  'upsertCashBalance with a key': (n) => keyed(`balance${n}`, balance(dayOf(1_000 + n), n)),
  ingestTransactions: (n) => transactions(`t${n}`),
  'ingestTransactions with a key': (n) => keyed(`transactions${n}`, transactions(`k${n}`)),
  'upsertSnapshot, new': (n) => snapshot(dayOf(n), n),
  'upsertSnapshot, replacing': async (n) => {
    await snapshot('2026-01-31', -n)(fixture.context);
    return snapshot('2026-01-31', n);
  },
  createApiKey: (n) => (c) => createApiKey(c, { name: `k${n}`, scope: 'read' }),
  revokeApiKey: async (n) => {
    const { id } = await createApiKey(fixture.context, { name: `r${n}`, scope: 'read' });
    return (c) => revokeApiKey(c, { key_id: id });
  },
  rotateApiKey: async (n) => {
    const { id } = await createApiKey(fixture.context, { name: `t${n}`, scope: 'read' });
    return (c) => rotateApiKey(c, { key_id: id, overlap_seconds: 0 });
  },
  createConnection: () => (c) => createConnection(c, { company_id: fixture.companyId, provider: 'sandbox' }),
  'upsertCashBalance, the first of a connection': async (n) => {
    const connection_id = await makeConnection();
    const row = { company_id: fixture.companyId, as_of: dayOf(n), balance_cents: n, currency: 'USD', connection_id };
    return (c) => upsertCashBalance(c, row);
  },
  setConnectionSecret: async () => {
    const connection_id = await makeConnection();
    return (c) => setConnectionSecret(c, { connection_id, secret: 'token-of-the-cut' });
  },
  disconnectConnection: async () => {
    const connection_id = await makeConnection();
    return (c) => disconnectConnection(c, { connection_id });
  },
  requestSync: async () => {
    const connection_id = await makeConnection('token-of-the-cut');
    return (c) => requestSync(c, { connection_id });
  },
  createEndpoint: async () => {
    // An account has room for 50 of them.
    await raw.query("UPDATE webhook_endpoint SET deleted_at = now() WHERE events = '{company.dissolved}'");
    return (c) => createEndpoint(c, { url, events: ['company.dissolved'] });
  },
  updateEndpoint: async (n) => {
    const id = await makeEndpoint();
    return (c) => updateEndpoint(c, { endpoint_id: id, description: `d${n}` });
  },
  deleteEndpoint: async () => {
    const { event_id } = await makeDelivery();
    const id = await makeEndpoint();
    await redeliverEvent(fixture.context, { event_id, endpoint_id: id });
    return (c) => deleteEndpoint(c, { endpoint_id: id });
  },
  testEndpoint: () => (c) => testEndpoint(c, { endpoint_id: endpoint }),
  redeliverEvent: async () => {
    const { event_id } = await makeDelivery();
    return (c) => redeliverEvent(c, { event_id, endpoint_id: endpoint });
  },
  retryDelivery: async () => {
    const { id } = await makeDelivery();
    await raw.query("UPDATE due SET due_at = now() + interval '1 hour' WHERE delivery_id = $1", [id]);
    return (c) => retryDelivery(c, { delivery_id: id });
  },
  createAgent: (n) => (c) => createAgent(c, { name: `a${n}`, provider: 'x', company_id: fixture.companyId }),
  pauseAgent: async () => {
    const place = await makeAgent();
    return (c) => pauseAgent(c, place);
  },
  'createAction with its outcome, two events': async (n) => {
    const place = await makeAgent();
    return (c) => createAction(c, { ...place, type: 'x', external_id: `x${n}`, status: 'completed' });
  },
  decideApproval: async () => {
    const { id } = await requestApproval(otherPerson(), { ...(await makeAgent()), title: 'May I?' });
    return (c) => decideApproval(c, { agent_approval_id: id, decision: 'approve' });
  },
  putRuntimeSnapshot: async () => {
    const { agent_id } = await makeAgent();
    return (c) => putRuntimeSnapshot(c, { agent_id, runtime: 'r', state: 'idle', checkpoint: { step: 1 } });
  },
  'applyHealth of a fifth failure': async () => {
    // An account has fifty at most, and this one is cut more often.
    for (const id of spent.splice(0)) await deleteEndpoint(fixture.context, { endpoint_id: id });
    const id = await makeEndpoint();
    spent.push(id);
    const outcomes = Array.from({ length: 5 }, (_, i) => ({ kind: 'failure' as const, at: new Date(Date.now() + i) }));
    const lastFailure = { statusCode: 500, message: 'no', eventId: 'evt_x' };
    return (c) => applyHealth(c, { accountId: fixture.context.accountId, endpointId: id, outcomes, lastFailure });
  },
  recordAttempts: async () => {
    await raw.query('DELETE FROM due');
    await makeDelivery();
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
  'C20, C22, C26: %s, cut at every statement, leaves all of it or nothing',
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

test('C23: what was stored without its response arriving is found by the reconciler', async () => {
  await raw.query('DELETE FROM due');
  const act = balance('2026-02-02', 1);
  const lost = await cutAt(act, 1, 'after', await readTables(raw));
  expect([lost.cut, lost.answered, lost.changes['due'], lost.woken]).toEqual([true, false, 1, []]);
  expect(await findDueIds(fixture.core, 0)).toEqual([endpoint]);
});
