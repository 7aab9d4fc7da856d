// Risk: a token leaks, a connection's state is reported twice or wrongly, or another account reads or changes it.
import { beforeEach, describe, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { openRawClient } from '../../../../test/raw-client.ts';
import { readFeed } from '../../../../test/read-all.ts';
import { readAudits } from '../../../../test/read-audits.ts';
import { runIdempotent } from '../../../../test/run-idempotent.ts';
import { changesBetween, readTables } from '../../../../test/table-state.ts';
import type { Context } from '../../../verbs/context.ts';
import { dissolveCompany } from '../../companies/update.ts';
import { getConnection, listConnections } from './connection.ts';
import { createConnection } from './create.ts';
import { disconnectConnection } from './disconnect.ts';
import { setConnectionSecret } from './set-secret.ts';
import { requestSync } from './sync.ts';
import { getSync, listSyncs } from './sync-run.ts';

const fixture = useFixture();
let context: Context;
let company_id: string;
beforeEach(async () => {
  ({ context, companyId: company_id } = await fixture.otherAccount());
});

const all = { limit: 200, order: 'asc' } as const;
const connect = (more: object = {}) => createConnection(context, { company_id, provider: 'sandbox', ...more });
const connectWithToken = async (secret = 'token-of-the-bank-0042') => {
  const { id } = await connect();
  return setConnectionSecret(context, { connection_id: id, secret });
};
const audits = () => readAudits(context, { company_id, action: 'bank.%' }, 'action', 'resource_id', 'before', 'after');
const typesOf = async () =>
  (await readFeed(context)).map(({ type }) => type).filter((type) => type.startsWith('bank.'));

/** Table changes of a call, which may be rejected. */
async function changesOf(act: () => Promise<unknown>): Promise<Record<string, number>> {
  const raw = await openRawClient(fixture.database.url);
  const before = await readTables(raw);
  await act().catch(() => undefined);
  const changes = changesBetween(before, await readTables(raw));
  await raw.end();
  return changes;
}

describe('creating', () => {
  test('emits both events in one transaction, with the same data, linked after connected', async () => {
    const record = await connect({ institution_name: 'First Bank', account_last4: '6789', currency: 'eur' });
    expect(record.freshness).toEqual({ balance: null, transactions: null, statements: null });
    const events = (await readFeed(context)).filter(({ type }) => type.startsWith('bank.'));
    expect(events.map(({ type }) => type)).toEqual(['bank.connected', 'bank.connection.linked']);
    expect(events.map(({ data }) => data)).toEqual([record, record]);
  });

  test('any label is a provider; only http takes a url, and needs one', async () => {
    expect((await connect({ provider: 'My Bank Sync' })).provider).toBe('My Bank Sync');
    const url = 'http://127.0.0.1:4010/pages';
    expect((await connect({ provider: 'http', config: { url } })).config).toEqual({ url });
    const rejected = (more: object, code: string) =>
      expect(connect(more)).rejects.toMatchObject({ fields: [{ pointer: '/config/url', code }] });
    await rejected({ provider: 'http' }, 'required');
    await rejected({ config: { url } }, 'not_applicable');
    await rejected({ provider: 'http', config: { url: 'ftp://example.com' } }, 'url_not_allowed');
    await rejected({ provider: 'http', config: { url: 'http://169.254.169.254/x' } }, 'url_not_allowed');
    await rejected({ provider: 'http', config: { url: 'nonsense' } }, 'invalid_url');
    await rejected({ provider: 'http', config: { url: `${url}?token=abc` } }, 'url_not_allowed');
    for (const name of ['constructor', '__proto__']) expect((await connect({ provider: name })).provider).toBe(name);
  });

  test('a new connection continues a disconnected one of the same company, and no other', async () => {
    const { id } = await connect();
    const rejected = (replaces: string) =>
      expect(connect({ replaces })).rejects.toMatchObject({
        fields: [{ pointer: '/replaces', code: 'connection_not_found' }],
      });
    await rejected(id);
    await rejected('conn_nobody');
    await disconnectConnection(context, { connection_id: id });
    expect((await connect({ replaces: id })).replaces).toBe(id);
    const other = await fixture.otherAccount();
    await expect(
      createConnection(other.context, { company_id: other.companyId, provider: 'sandbox', replaces: id }),
    ).rejects.toMatchObject({ code: 'validation_failed' });
  });
});

describe('the token', () => {
  test('is encrypted for its row, and only its last four characters are shown', async () => {
    const secret = 'canary-token-8d1f6b0a';
    const { id } = await connect();
    const answers = [
      await runIdempotent(context, { key: 'k', body: 'x' }, (keyed) =>
        setConnectionSecret(keyed, { connection_id: id, secret }),
      ),
      await getConnection(context, { connection_id: id }),
      await listConnections(context, { company_id, ...all }),
      await requestSync(context, { connection_id: id }),
      await readFeed(context),
      await audits(),
    ];
    expect(await getConnection(context, { connection_id: id })).toMatchObject({
      status: 'active',
      has_secret: true,
      secret_last4: '6b0a',
      secret_configured_at: expect.any(String),
    });
    const [row] = await context.database.query<{ secret: string; all: string }>(
      'SELECT secret, k::text AS all FROM bank_connection k WHERE id = $1',
      [id],
    );
    const [stored] = await context.database.query<{ outcome: string }>(
      'SELECT outcome FROM idempotency_key WHERE account_id = $1',
      [context.accountId],
    );
    const shown = JSON.stringify([answers, row, stored]);
    for (const form of [secret, Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('hex')])
      expect(shown).not.toContain(form);
    expect(stored?.outcome).toContain('6b0a');
    // The ciphertext is bound to its row and can't be decrypted in another.
    expect(context.secrets.decrypt(row?.secret ?? '', `bank_connection|${id}`)).toBe(secret);
    expect(() => context.secrets.decrypt(row?.secret ?? '', 'bank_connection|conn_other')).toThrow();
    expect(() => context.secrets.decrypt(row?.secret ?? '', `webhook_endpoint|${id}`)).toThrow();
  });

  test('is reported as rotated if there was one before; the same one again changes nothing', async () => {
    const { id } = await connectWithToken();
    await setConnectionSecret(context, { connection_id: id, secret: 'another-token-0043' });
    const configured = () => readFeed(context, 'bank.connection.secret_configured');
    expect((await configured()).map(({ data }) => [data['rotated'], data['secret_last4']])).toEqual([
      [false, '0042'],
      [true, '0043'],
    ]);
    expect((await audits()).filter(({ action }) => action === 'bank.connections.setSecret')).toHaveLength(2);
    const again = () => setConnectionSecret(context, { connection_id: id, secret: 'another-token-0043' });
    expect(await changesOf(again)).toEqual({});
    expect((await again()).secret_last4).toBe('0043');
  });

  test('stored again for a connection in error, is tried again and not reported as rotated', async () => {
    const { id } = await connectWithToken();
    await context.database.query("UPDATE bank_connection SET status = 'error' WHERE id = $1", [id]);
    expect((await setConnectionSecret(context, { connection_id: id, secret: 'token-of-the-bank-0042' })).status).toBe(
      'active',
    );
    const reported = await readFeed(context, 'bank.connection.secret_configured');
    expect(reported.map(({ data }) => data['rotated'])).toEqual([false, false]);
  });

  test.each([
    ['12345678901', null],
    ['123456789012', '9012'],
  ])('%s shows %s', async (secret, last4) => {
    expect((await connectWithToken(secret)).secret_last4).toBe(last4);
  });

  test('that can’t be decrypted any more is replaced', async () => {
    const { id } = await connectWithToken();
    await context.database.query("UPDATE bank_connection SET secret = 'v1.gone.AAAA.AAAA' WHERE id = $1", [id]);
    expect(await setConnectionSecret(context, { connection_id: id, secret: 'fresh-token-0044' })).toMatchObject({
      secret_last4: '0044',
    });
  });
});

describe('the state machine', () => {
  test('disconnecting, also for a dissolved company, wipes the token and is reported once, however often it is requested', async () => {
    const { id } = await connectWithToken();
    await dissolveCompany(context, { company_id });
    const end = () => disconnectConnection(context, { connection_id: id, reason: 'closed' });
    const answers = await Promise.all(Array.from({ length: 8 }, end));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['disconnected']));
    expect(answers[0]).toMatchObject({ has_secret: false, disconnected_by: context.actor });
    const [row] = await context.database.query('SELECT secret FROM bank_connection WHERE id = $1', [id]);
    expect(row).toEqual({ secret: null });
    const reported = await readFeed(context, 'bank.connection.disconnected');
    expect(reported).toHaveLength(1);
    expect(reported[0]?.data).toMatchObject({ id, reason: 'closed', rows_retained: true });
    expect((await audits()).filter(({ action }) => action === 'bank.connections.disconnect')).toHaveLength(1);
    expect(await changesOf(end)).toEqual({});
  });

  test('a sync needs a token and a connection that is not disconnected; a connection in error syncs', async () => {
    const { id: connection_id } = await connect();
    const sync = () => requestSync(context, { connection_id });
    await expect(sync()).rejects.toMatchObject({ code: 'sync_not_available', status: 409 });
    await setConnectionSecret(context, { connection_id, secret: 'state-token-0001' });
    await context.database.query("UPDATE bank_connection SET status = 'error' WHERE id = $1", [connection_id]);
    await sync();
    expect((await getConnection(context, { connection_id })).status).toBe('error');
    await disconnectConnection(context, { connection_id });
    await expect(sync()).rejects.toMatchObject({ code: 'connection_disconnected', status: 409 });
  });

  test('a sync of a provider that pushes is rejected with the reason', async () => {
    const { id } = await connect({ provider: 'ledger' });
    await setConnectionSecret(context, { connection_id: id, secret: 'push-token-00001' });
    await expect(requestSync(context, { connection_id: id })).rejects.toMatchObject({
      code: 'sync_not_available',
      extra: { reason: 'provider_pushes' },
      message: expect.stringContaining('pushes its data'),
    });
  });

  test('one sync runs at a time: concurrent requests get the same run, and one audit row is written', async () => {
    const { id } = await connectWithToken();
    const started: string[] = [];
    const asking = { ...context, jobs: { ...context.jobs, startSync: (runId: string) => void started.push(runId) } };
    const runs = await Promise.all(Array.from({ length: 6 }, () => requestSync(asking, { connection_id: id })));
    const [run] = runs;
    expect(new Set(runs.map((one) => one.id)).size).toBe(1);
    expect(run).toMatchObject({ object: 'sync_run', connection_id: id, status: 'running', finished_at: null });
    expect(new Set(started)).toEqual(new Set([run?.id]));
    expect((await audits()).filter(({ action }) => action === 'bank.connections.sync')).toHaveLength(1);
    expect((await getConnection(context, { connection_id: id })).backfill_status).toBe('running');
    expect(await getSync(context, { sync_id: run?.id ?? '' })).toEqual(run);
    expect((await listSyncs(context, { connection_id: id, ...all })).data).toEqual([run]);
    expect((await listSyncs(context, { connection_id: id, ...all, status: 'failed' })).data).toEqual([]);
    expect(await typesOf()).not.toContain('partner.sync_completed');
  });
});
