// Risk: the feed has concurrent changes of one connection in the wrong order.
import { expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { openRawClient, waitForBlocked } from '../../../../test/raw-client.ts';
import { readFeed } from '../../../../test/read-all.ts';
import { sharesLock } from '../../../outbox/transaction.ts';
import { upsertCashBalance } from '../../cash/balances/upsert.ts';
import { ingestTransactions } from '../transactions/ingest.ts';
import { createConnection } from './create.ts';
import { disconnectConnection } from './disconnect.ts';
import { runSync } from './run-sync.ts';
import { setConnectionSecret } from './set-secret.ts';
import { requestSync } from './sync.ts';
import { getSync } from './sync-run.ts';

const fixture = useFixture();

test('concurrent tokens, and the disconnection, are in the feed in the order in which they happened', async () => {
  const { context, companyId: company_id } = fixture;
  for (let round = 0; round < 10; round++) {
    const { id: connection_id } = await createConnection(context, { company_id, provider: 'sandbox' });
    const set = (i: number) => setConnectionSecret(context, { connection_id, secret: `token-${round}-${i}` });
    const disconnect = disconnectConnection(context, { connection_id });
    await Promise.allSettled([set(1), set(2), set(3), disconnect, set(4), set(5), set(6)]);
    const feed = (await readFeed(context)).filter(({ data }) => Reflect.get(data, 'id') === connection_id);
    const tokens = feed.filter(({ type }) => type === 'bank.connection.secret_configured');
    expect(feed.map(({ type }) => type)).toEqual([
      'bank.connected',
      'bank.connection.linked',
      ...tokens.map(({ type }) => type),
      'bank.connection.disconnected',
    ]);
    expect(tokens.map(({ data }) => Reflect.get(data, 'rotated'))).toEqual(tokens.map((_, i) => i > 0));
  }
});

test('the end of a sync waits for rows of its connection in flight, and comes after them in the feed', async () => {
  const { context, companyId: company_id, core } = fixture;
  const { id: connection_id } = await createConnection(context, { company_id, provider: 'sandbox' });
  await setConnectionSecret(context, { connection_id, secret: 'token' });
  const { id: sync_id } = await requestSync(context, { connection_id });
  const waiting = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
  let running: Promise<void> | undefined;
  await core.database.transaction(async (tx) => {
    await tx.query(`SELECT ${sharesLock('$1::text')}`, [connection_id]);
    running = runSync(core, sync_id, new AbortController().signal);
    const isWaiting = `SELECT FROM pg_stat_activity WHERE pid IN (${waiting}) AND datname = current_database() AND backend_xid IS NULL`;
    await expect.poll(() => tx.query(isWaiting), { timeout: 10_000 }).toHaveLength(1);
    expect((await getSync(context, { sync_id })).status).toBe('running');
  });
  await running;
  expect((await getSync(context, { sync_id })).status).toBe('succeeded');
});

const row = { external_id: 'late', posted_at: '2026-01-10T00:00:00Z', amount_cents: 1 };
const late = { as_of: '2026-01-10', balance_cents: 5, currency: 'USD' };
test.each([
  [
    'balance',
    (company_id: string, connection_id: string) =>
      upsertCashBalance(fixture.context, { company_id, connection_id, ...late }),
  ],
  [
    'batch',
    (company_id: string, connection_id: string) =>
      ingestTransactions(fixture.context, { company_id, transactions: [{ ...row, connection_id }] }),
  ],
])(
  'a %s that comes while the end of its connection waits for rows in flight stands in no feed after it',
  async (_, post) => {
    const { context, companyId: company_id } = fixture;
    const { id: connection_id } = await createConnection(context, { company_id, provider: 'ledger' });
    const [one, two] = [await openRawClient(fixture.database.url), await openRawClient(fixture.database.url)];
    const share = 'SELECT FROM bank_connection WHERE id = $1 FOR KEY SHARE';
    await one.query('BEGIN');
    await one.query("UPDATE bank_connection SET status = 'active', transactions_at = now() WHERE id = $1", [
      connection_id,
    ]);
    const ending = disconnectConnection(context, { connection_id });
    await waitForBlocked(one);
    // The end waits once more on the row's new version, now with a transaction id.
    await two.query('BEGIN');
    await two.query(share, [connection_id]);
    await one.query('COMMIT');
    await one.query('BEGIN');
    await one.query(share, [connection_id]);
    await two.query('COMMIT');
    const numbered =
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'finhook' AND backend_xid IS NOT NULL";
    await expect.poll(async () => (await two.query(numbered)).rowCount).toBe(1);
    const posting = post(company_id, connection_id).catch((error: unknown) => error);
    await Promise.race([posting, waitForBlocked(two, 2)]);
    await one.query('COMMIT');
    await Promise.all([posting, ending, one.end()]);
    await two.end();
    const feed = (await readFeed(context)).filter(({ data }) => JSON.stringify(data).includes(connection_id));
    expect(feed.at(-1)?.type).toBe('bank.connection.disconnected');
  },
);
