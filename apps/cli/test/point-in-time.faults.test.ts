// Risk: a cell recovered to a point in time starts unasked, loses data, or reuses an id or position that receivers
// know.
import { execFile } from 'node:child_process';

import { chmodSync, mkdirSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { handlers, openAccount, openCore, systemContext } from '@finhook/core';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@finhook/embedded';
import { type ReceivedRequest, startReceiver, withClient } from '@finhook/testing';
import { expect, test } from 'vitest';
import { runLocal } from './local-process.ts';
import { secretsKey, startService } from './service-process.ts';

const seenOf = ({ headers }: ReceivedRequest) => ({
  id: String(headers['webhook-id']),
  sequence: Number(headers['x-service-sequence']),
});

/** A copy of the data folder while the server runs. */
async function takeBackup(databaseUrl: string, from: string, to: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query("SELECT pg_backup_start('base', true)");
    // Keeps the owner.
    await promisify(execFile)('cp', ['-a', from, to]);
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    await writeFile(join(to, 'backup_label'), rows[0]?.labelfile ?? '');
  });
  await rm(join(to, 'postmaster.pid'));
  const log = join(to, 'pg_wal');
  for (const name of await readdir(log)) if (/^[0-9A-F]{24}$/.test(name)) await rm(join(log, name));
  await writeFile(join(to, 'recovery.signal'), '');
  // The server renames and removes both.
  for (const name of ['backup_label', 'recovery.signal']) await chmod(join(to, name), 0o666);
}

/** Closes the WAL segment and waits until it is archived. */
async function archiveLog(databaseUrl: string, archive: string): Promise<void> {
  const last = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS name');
    return rows[0]?.name ?? '';
  });
  await expect.poll(() => readdir(archive), { timeout: 30_000 }).toContain(last);
}

test('a cell is recovered to a point in time: it starts after the command, with the same ids and then a gap', {
  timeout: 180_000,
}, async () => {
  await using opened = new AsyncDisposableStack();
  const root = opened.adopt(await mkdtemp(join(tmpdir(), 'finhook-recovery-')), (path) =>
    rm(path, { recursive: true, force: true }),
  );
  // The server may run as another user.
  chmodSync(root, 0o777);
  const [archive, data, backup] = ['archive', 'data', 'backup'].map((name) => join(root, name));
  if (archive === undefined || data === undefined || backup === undefined) throw new Error('No folders.');
  mkdirSync(archive);
  chmodSync(archive, 0o777);
  const start = async (dataDir: string, settings: Record<string, string>): Promise<EmbeddedPostgres> =>
    opened.adopt(await startEmbeddedPostgres({ dataDir, port: 0, durable: false, settings }), (server) =>
      server.stop(),
    );
  const server = await start(data, {
    wal_level: 'replica',
    archive_mode: 'on',
    archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
  });
  const url = server.url('postgres');
  const open = async (databaseUrl: string) =>
    opened.adopt(await openCore({ databaseUrl, secretsKey, allowInsecureWebhooks: true, cell: 'eu' }), ({ database }) =>
      database.close(),
    );
  const receiver = opened.adopt(await startReceiver(), (each) => each.close());
  const service = (role: 'api' | 'worker', databaseUrl: string) =>
    opened.adopt(startService(role, { databaseUrl, queueUrl: databaseUrl, cell: 'eu' }), (each) => each.kill());
  const arrived = async (eventId: string, times = 1) =>
    receiver.waitFor((requests) => requests.filter((each) => seenOf(each).id === eventId).length >= times, {
      timeoutMs: 30_000,
    });

  const core = await open(url);
  await core.database.migrate();
  const api = service('api', url);
  await api.ready;
  const { accountId } = await openAccount(core, { name: 'Acme', mode: 'test', companyName: 'Acme Inc' });
  const context = systemContext(core, accountId, 'test');
  const events = ['company.created'];
  await handlers.webhookEndpoints.create(context, { url: receiver.url, ordered: true, events });
  const post = async (at: typeof context, name: string): Promise<string> => {
    await handlers.companies.create(at, { name });
    const { data: found } = await handlers.events.list(at, { limit: 1, order: 'desc' });
    return found[0]?.id ?? '';
  };
  await takeBackup(url, data, backup);
  const kept = await post(context, 'kept');
  await withClient(url, (client) => client.query("SELECT pg_create_restore_point('before')"));
  const worker = service('worker', url);
  await worker.ready;
  const lost = await post(context, 'lost');
  await Promise.all([arrived(kept), arrived(lost)]);
  await archiveLog(url, archive);
  await Promise.all([api.kill(), worker.kill()]);
  await server.stop();

  const recovered = await start(backup, {
    wal_level: 'replica',
    restore_command: `cp ${archive}/%f %p`,
    recovery_target_name: 'before',
    recovery_target_action: 'promote',
  });
  const newUrl = recovered.url('postgres');
  const isPromoted = () =>
    withClient(newUrl, async (client) => {
      const { rows } = await client.query<{ done: boolean }>('SELECT NOT pg_is_in_recovery() AS done');
      return rows[0]?.done;
    });
  await expect.poll(isPromoted, { timeout: 30_000 }).toBe(true);
  // A recovery takes longer than these times.
  await withClient(newUrl, (client) =>
    client.query("UPDATE service_process SET seen_at = seen_at - interval '1 hour'"),
  );
  await expect(service('api', newUrl).ready).rejects.toThrow('ended before it was ready');
  await expect(service('worker', newUrl).ready).rejects.toThrow('ended before it was ready');

  const restored = runLocal(
    'restored.ts',
    { DATABASE_URL: newUrl, SECRETS_KEY: secretsKey, CELL: 'eu', FINHOOK_DATA_DIR: join(root, 'none') },
    ['--no-peers'],
  );
  expect(await restored.exited, restored.output()).toBe(0);
  expect(JSON.parse(restored.output())).toEqual({ closed: [], redirected: [], finished: [], advanced: 1 });

  await Promise.all([service('api', newUrl).ready, service('worker', newUrl).ready]);
  const after = systemContext(await open(newUrl), accountId, 'test');
  const next = await post(after, 'next');
  await Promise.all([arrived(kept, 2), arrived(next)]);
  const { data: feed } = await handlers.events.list(after, { limit: 100, order: 'asc' });
  const ids = feed.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining([kept, next]));
  expect(ids).not.toContain(lost);
  const [first, second, again, last] = receiver.requests.map(seenOf);
  expect([first?.id, second?.id, again, last?.id]).toEqual([kept, lost, first, next]);
  expect(last?.sequence).toBeGreaterThan((second?.sequence ?? 0) + 999_000);
});
