// Risk: a sync loses or repeats a provider's rows, or two workers store one page.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { readFeed } from '../../../../test/read-all.ts';
import { readAudits } from '../../../../test/read-audits.ts';
import { type Provider, type ProviderPage, startProvider, transactionsOf } from '../../../../test/start-provider.ts';
import type { Context, Core, Outgoing } from '../../../verbs/context.ts';
import { getCashOnHand } from '../../cash/cash-on-hand.ts';
import { dissolveCompany } from '../../companies/update.ts';
import { getFreshness } from '../../financials/figures/get-figures.ts';
import { findOpenSyncs } from './claim-sync.ts';
import { getConnection } from './connection.ts';
import { createConnection } from './create.ts';
import { disconnectConnection } from './disconnect.ts';
import { runSync } from './run-sync.ts';
import { setConnectionSecret } from './set-secret.ts';
import { requestSync } from './sync.ts';
import { getSync } from './sync-run.ts';

const TOKEN = 'canary-provider-token-77';
const never = new AbortController().signal;
const fixture = useFixture();
let context: Context;
let company_id: string;
let provider: Provider | undefined;
beforeEach(async () => {
  ({ context, companyId: company_id } = await fixture.otherAccount());
});
afterEach(async () => {
  await provider?.close();
  provider = undefined;
});

const balance = { as_of: '2026-01-09', balance_cents: 700, currency: 'USD' };
const threePages: ProviderPage[] = [
  { balances: [balance], transactions: transactionsOf('a', 2) },
  { transactions: transactionsOf('b', 2) },
  { balances: [{ ...balance, as_of: '2026-01-10' }], transactions: transactionsOf('c', 2) },
];
async function connectTo(pages: readonly ProviderPage[]): Promise<string> {
  provider = await startProvider(pages);
  const config = { url: provider.url };
  const { id } = await createConnection(context, { company_id, provider: 'http', config, currency: 'USD' });
  await setConnectionSecret(context, { connection_id: id, secret: TOKEN });
  return id;
}
const begin = async (connection_id: string) => (await requestSync(context, { connection_id })).id;
function pullingWith(fetchJson: Outgoing['fetchJson']): Core {
  return { ...fixture.core, outgoing: { ...fixture.core.outgoing, fetchJson } };
}
const sync = async (connection_id: string, core: Core = fixture.core) => {
  const sync_id = await begin(connection_id);
  await runSync(core, sync_id, never);
  return getSync(context, { sync_id });
};
const stored = async (connection_id: string) => {
  const rows = await context.database.query<{ external_id: string }>(
    'SELECT external_id FROM bank_transaction WHERE connection_id = $1 ORDER BY external_id',
    [connection_id],
  );
  return rows.map(({ external_id }) => external_id);
};
const allRows = ['a-0', 'a-1', 'b-0', 'b-1', 'c-0', 'c-1'];
const completed = () => readFeed(context, 'partner.sync_completed');
const read = (connection_id: string) => getConnection(context, { connection_id });
const expireLease = (sync_id: string) =>
  context.database.query("UPDATE sync_run SET lease_until = now() - interval '1 second' WHERE id = $1", [sync_id]);

test('the sandbox fills twelve months in one run, and a later sync continues from there', async () => {
  const { id } = await createConnection(context, { company_id, provider: 'sandbox' });
  await setConnectionSecret(context, { connection_id: id, secret: 'anything-goes' });
  const run = await sync(id);
  expect(run).toMatchObject({ status: 'succeeded', error: null, finished_at: expect.any(String) });
  expect(run.duration_ms).toBeGreaterThanOrEqual(0);
  const { stats } = run;
  expect(stats.transactions_inserted).toBeGreaterThan(150);
  expect(await stored(id)).toHaveLength(stats.transactions_inserted);
  const [counts] = await context.database.query<{ balances: number }>(
    'SELECT count(*)::int AS balances FROM cash_balance WHERE connection_id = $1',
    [id],
  );
  expect(counts?.balances).toBe(stats.balances_upserted);
  const today = new Date().toISOString().slice(0, 10);
  const yearAgo = `${Number(today.slice(0, 4)) - 1}${today.slice(4)}`.replace('02-29', '02-28');
  expect(await read(id)).toMatchObject({
    status: 'active',
    backfill_status: 'complete',
    history_from: yearAgo,
    last_sync_status: 'succeeded',
    last_synced_at: run.finished_at,
    error: null,
    freshness: { balance: expect.any(String), transactions: run.finished_at },
  });
  expect((await getCashOnHand(context, { company_id })).lines).toHaveLength(1);
  const posted = await readFeed(context, 'bank.transaction.posted');
  expect(posted.reduce((sum, { data }) => sum + Number(data['count']), 0)).toBe(stats.transactions_inserted);

  const again = await sync(id);
  expect(again.stats).toMatchObject({ transactions_inserted: 0 });
  expect(again.stats.transactions_received).toBeLessThan(30);
  expect((await read(id)).history_from).toBe(yearAgo);
  expect(await stored(id)).toHaveLength(stats.transactions_inserted);
  expect((await completed()).map(({ data }) => data)).toEqual([run, again]);
});

test('a provider is pulled page by page, with the token, and stored through the ingest verbs', async () => {
  const id = await connectTo(threePages);
  const run = await sync(id);
  expect(run).toMatchObject({
    status: 'succeeded',
    stats: {
      balances_upserted: 2,
      transactions_received: 6,
      transactions_inserted: 6,
      transactions_skipped: 0,
      snapshots_upserted: 0,
    },
  });
  expect(await stored(id)).toEqual(allRows);
  const until = run.started_at.slice(0, 10);
  expect(provider?.asked().map(({ cursor }) => cursor)).toEqual([undefined, '1', '2']);
  expect(provider?.asked().every((query) => query['until'] === until && (query['from'] ?? '') < until)).toBe(true);
  expect(provider?.requests.every(({ headers }) => headers.authorization === `Bearer ${TOKEN}`)).toBe(true);
  const feed = await readFeed(context);
  expect(feed.map(({ type }) => type).slice(-6)).toEqual([
    'bank.balance.updated',
    'bank.transaction.posted',
    'bank.transaction.posted',
    'bank.balance.updated',
    'bank.transaction.posted',
    'partner.sync_completed',
  ]);
  expect(feed.at(-1)).toMatchObject({ company_id, data: run });
  const audits = await readAudits(context, { company_id, request_id: run.id }, 'action', 'actor');
  expect(audits.filter(({ action }) => action === 'bank.syncs.finish')).toHaveLength(1);
  expect(new Set(audits.map(({ actor }) => actor.type))).toEqual(new Set(['system']));
});

test('if a provider fails half-way, its rows are stored and reported, and the next sync completes them without duplicates', async () => {
  const id = await connectTo(threePages);
  provider?.break(1, { status: 503, body: TOKEN });
  const run = await sync(id);
  expect(run).toMatchObject({
    status: 'partial',
    error: { code: 'provider_unavailable', message: 'The provider returned 503.' },
    stats: { transactions_inserted: 2, balances_upserted: 1 },
  });
  expect(await stored(id)).toEqual(['a-0', 'a-1']);
  expect(await read(id)).toMatchObject({
    status: 'error',
    error: run.error,
    last_sync_status: 'partial',
    backfill_status: 'none',
    history_from: null,
  });
  provider?.break(1, undefined);
  const again = await sync(id);
  expect(again).toMatchObject({ status: 'succeeded', stats: { transactions_inserted: 4, transactions_skipped: 2 } });
  expect(await stored(id)).toEqual(allRows);
  expect(await read(id)).toMatchObject({ status: 'active', error: null, backfill_status: 'complete' });
  expect((await completed()).map(({ data }) => data['status'])).toEqual(['partial', 'succeeded']);
});

test('a failed sync does not make a series fresh', async () => {
  const id = await connectTo(threePages);
  provider?.break(0, { status: 503 });
  expect((await sync(id)).status).toBe('failed');
  const { streams } = await getFreshness(context, { company_id });
  expect(streams).toMatchObject([{ connection_id: id, transactions: { last_received_at: null } }]);
});

test('a rejected token fails the sync, and neither the token nor the response is shown anywhere', async () => {
  const id = await connectTo(threePages);
  provider?.break(0, { status: 401, body: `{"echo":"${TOKEN}"}` });
  const run = await sync(id);
  expect(run).toMatchObject({ status: 'failed', error: { code: 'provider_unauthorized' } });
  const rows = await context.database.query(
    'SELECT r::text FROM sync_run r UNION ALL SELECT k::text FROM bank_connection k',
  );
  const audits = await context.database.query('SELECT * FROM audit_log');
  expect(JSON.stringify([run, rows, audits, await readFeed(context)])).not.toContain(TOKEN);
  await setConnectionSecret(context, { connection_id: id, secret: TOKEN });
  expect(await read(id)).toMatchObject({ status: 'active', error: null, last_sync_status: 'failed' });
});

test('invalid rows are counted and rejected one by one, and make the sync partial', async () => {
  const [first, second] = transactionsOf('a', 2);
  const id = await connectTo([
    {
      balances: [{ ...balance, balance_cents: 1.5 }, { ...balance, as_of: '2999-01-01' }, balance],
      transactions: [first ?? {}, { ...second, posted_at: '1969-12-31T00:00:00Z' }, { ...second, amount_cents: 1.5 }],
    },
    { transactions: transactionsOf('b', 1) },
  ]);
  const run = await sync(id);
  expect(run).toMatchObject({ status: 'partial', stats: { balances_upserted: 1, transactions_inserted: 2 } });
  expect(run.stats).toMatchObject({ transactions_received: 4, transactions_skipped: 0 });
  expect(run.error).toMatchObject({
    code: 'rows_refused',
    message: expect.stringMatching(
      /^4 rows were rejected, the others are stored\. The first: \/balances\/0\/balance_cents must/,
    ),
  });
  expect(await stored(id)).toEqual(['a-0', 'b-0']);
});

test('a sync whose only row is rejected fails and reports that nothing is stored', async () => {
  const run = await sync(
    await connectTo([{ transactions: [{ ...transactionsOf('a', 1)[0], amount_cents: 2 ** 53 }] }]),
  );
  expect(run).toMatchObject({ status: 'failed', stats: { transactions_received: 1, transactions_inserted: 0 } });
  expect(run.error?.message).toBe(
    '1 row was rejected, none is stored. The first: /transactions/0/amount_cents must be at most 9007199254740991.',
  );
});

test('an abandoned run resumes at the page where it stopped', async () => {
  const id = await connectTo(threePages);
  const sync_id = await begin(id);
  let pages = 0;
  const dying = pullingWith((request) =>
    pages++ === 1 ? Promise.reject(new Error('out of sockets')) : fixture.core.outgoing.fetchJson(request),
  );
  await expect(runSync(dying, sync_id, never)).rejects.toThrow('out of sockets');
  expect(await getSync(context, { sync_id })).toMatchObject({ status: 'running', stats: { transactions_inserted: 2 } });
  // Its lease is still valid: no other worker may claim it.
  expect(await findOpenSyncs(fixture.core)).toEqual([]);
  await runSync(fixture.core, sync_id, never);
  expect(provider?.asked()).toHaveLength(1);
  await expireLease(sync_id);
  expect(await findOpenSyncs(fixture.core)).toEqual([sync_id]);
  await runSync(fixture.core, sync_id, never);
  expect(await getSync(context, { sync_id })).toMatchObject({
    status: 'succeeded',
    stats: { transactions_received: 6, transactions_inserted: 6, transactions_skipped: 0 },
  });
  expect(provider?.asked().map(({ cursor }) => cursor)).toEqual([undefined, '1', '2']);
  expect(await stored(id)).toEqual(allRows);
});

test('a run whose last page is stored is finished by the next worker, without another pull', async () => {
  const sync_id = await begin(await connectTo([{}]));
  const dying: Core = {
    ...fixture.core,
    newId: (prefix) => {
      if (prefix === 'evt') throw new Error('killed as it reported the end');
      return fixture.core.newId(prefix);
    },
  };
  await expect(runSync(dying, sync_id, never)).rejects.toThrow('killed');
  await expireLease(sync_id);
  await runSync(fixture.core, sync_id, never);
  expect(await getSync(context, { sync_id })).toMatchObject({ status: 'succeeded' });
  expect(provider?.asked()).toHaveLength(1);
});

test('a worker that closes releases the run between two chunks; its page is stored again without duplicates', async () => {
  const id = await connectTo([{ transactions: transactionsOf('a', 600) }]);
  const sync_id = await begin(id);
  const closing = new AbortController();
  const stopping: Core = {
    ...fixture.core,
    newId: (prefix) => {
      if (prefix === 'ing') closing.abort();
      return fixture.core.newId(prefix);
    },
  };
  await runSync(stopping, sync_id, closing.signal);
  expect(await stored(id)).toHaveLength(500);
  expect(await findOpenSyncs(fixture.core)).toEqual([sync_id]);
  await runSync(fixture.core, sync_id, never);
  expect(await stored(id)).toHaveLength(600);
  expect(await getSync(context, { sync_id })).toMatchObject({
    status: 'succeeded',
    stats: { transactions_received: 1_100, transactions_inserted: 600, transactions_skipped: 500 },
  });
});

test('a worker that was suspended past its lease can neither store rows nor finish the run', async () => {
  const id = await connectTo(threePages);
  const sync_id = await begin(id);
  let superseded = false;
  const paused = pullingWith(async (request) => {
    const page = await fixture.core.outgoing.fetchJson(request);
    if (superseded) return page;
    superseded = true;
    await expireLease(sync_id);
    await runSync(fixture.core, sync_id, never);
    return { ok: true, text: JSON.stringify({ transactions: transactionsOf('late', 3) }) };
  });
  await runSync(paused, sync_id, never);
  expect(await stored(id)).toEqual(allRows);
  expect(await completed()).toHaveLength(1);
  expect((await getSync(context, { sync_id })).stats.transactions_inserted).toBe(6);
});

test('workers notified of one run at once process it once', async () => {
  const id = await connectTo(threePages);
  const sync_id = await begin(id);
  await Promise.all(Array.from({ length: 5 }, () => runSync(fixture.core, sync_id, never)));
  expect(provider?.asked()).toHaveLength(3);
  expect(await completed()).toHaveLength(1);
  await runSync(fixture.core, sync_id, never);
  await runSync(fixture.core, 'syn_unknown', never);
  expect(provider?.asked()).toHaveLength(3);
});

test.each([
  ['connection_disconnected', (connection_id: string) => disconnectConnection(context, { connection_id })],
  ['company_dissolved', () => dissolveCompany(context, { company_id })],
])('a run whose ground goes away under it ends with %s and keeps what it stored', async (code, act) => {
  const id = await connectTo(threePages);
  const sync_id = await begin(id);
  let pages = 0;
  const core = pullingWith(async (request) => {
    if (pages++ === 1) await act(id);
    return fixture.core.outgoing.fetchJson(request);
  });
  await runSync(core, sync_id, never);
  expect(await getSync(context, { sync_id })).toMatchObject({ status: 'partial', error: { code } });
  expect(await stored(id)).toEqual(['a-0', 'a-1']);
  expect((await read(id)).status).toBe(code === 'connection_disconnected' ? 'disconnected' : 'error');
  expect((await completed())[0]?.data).toMatchObject({ status: 'partial', error: { code } });
});

test('a run whose connection is disconnected before a worker claims it fails', async () => {
  const id = await connectTo(threePages);
  const sync_id = await begin(id);
  await disconnectConnection(context, { connection_id: id });
  await runSync(fixture.core, sync_id, never);
  expect(await getSync(context, { sync_id })).toMatchObject({
    status: 'failed',
    error: { code: 'connection_disconnected' },
  });
  expect(provider?.asked()).toEqual([]);
});

test('a run that kills every worker fails, and can be requested again', async () => {
  const id = await connectTo(threePages);
  const sync_id = await begin(id);
  const dying = pullingWith(() => Promise.reject(new Error('broken')));
  for (let i = 0; i < 5; i++) {
    await expect(runSync(dying, sync_id, never)).rejects.toThrow('broken');
    await expireLease(sync_id);
  }
  await runSync(dying, sync_id, never);
  expect(await getSync(context, { sync_id })).toMatchObject({ status: 'failed', error: { code: 'interrupted' } });
  expect((await sync(id)).status).toBe('succeeded');
});

test('a run that stores a page with each of its workers does not fail, however many there were', async () => {
  const sync_id = await begin(
    await connectTo(Array.from({ length: 7 }, (_, i) => ({ transactions: transactionsOf(`${i}`, 1) }))),
  );
  for (let i = 0; i < 6; i++) {
    let pulls = 0;
    const dying = pullingWith((request) =>
      pulls++ === 0 ? fixture.core.outgoing.fetchJson(request) : Promise.reject(new Error('broken')),
    );
    await expect(runSync(dying, sync_id, never)).rejects.toThrow('broken');
    await expireLease(sync_id);
  }
  await runSync(fixture.core, sync_id, never);
  const done = { status: 'succeeded', stats: { transactions_inserted: 7 } };
  expect(await getSync(context, { sync_id })).toMatchObject(done);
});
