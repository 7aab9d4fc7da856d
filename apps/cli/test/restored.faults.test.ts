// Risk: the command for a restored cell leaves an account open in two cells, or the cell doesn't start after it.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { openAccount } from '@finhook/core';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@finhook/embedded';
import { withClient } from '@finhook/testing';
import { expect, test } from 'vitest';
import { runLocal } from './local-process.ts';
import { secretsKey, startService } from './service-process.ts';
import { type Cell, startCell } from './start-cell.ts';

/** A copy of a stopped server's data folder. */
async function takeSnapshot({ postgres, databaseUrl }: Cell): Promise<string> {
  const dataDir = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    return rows[0]?.data_directory ?? '';
  });
  await postgres.stop();
  const snapshot = `${dataDir}-snapshot`;
  // Keeps the owner.
  await promisify(execFile)('cp', ['-a', dataDir, snapshot]);
  await postgres.restart();
  return snapshot;
}

const post = (url: string, apiKey: string, name: string, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/v1/companies`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ name }),
  });

test('a snapshot from before a move: the command closes the copy, and the cell sends callers on', {
  timeout: 180_000,
}, async () => {
  await using opened = new AsyncDisposableStack();
  const start = async (name: string) =>
    opened.adopt(await startCell(name, { hasWorker: false }), (cell) => cell.close());
  const [eu, us] = await Promise.all([start('eu'), start('us')]);
  const { accountId, apiKey } = await openAccount(eu.core, { name: 'Acme', mode: 'test', companyName: 'Acme Inc' });
  const snapshot = await takeSnapshot(eu);
  const back = async () => (await post(eu.url, apiKey, 'Before')).status;
  await expect.poll(back, { timeout: 30_000 }).toBe(201);
  const moved = runLocal('account-move.ts', { DATABASE_URL: eu.databaseUrl }, [
    '--account',
    accountId,
    '--to-database-url',
    us.databaseUrl,
    '--to-cell',
    'us',
  ]);
  expect(await moved.exited, moved.output()).toBe(0);
  expect((await post(us.url, apiKey, 'After', { 'finhook-cell': 'us' })).status).toBe(201);
  await eu.api.kill();
  await eu.postgres.stop();

  const server: EmbeddedPostgres = opened.adopt(
    await startEmbeddedPostgres({ dataDir: snapshot, port: 0, durable: false }),
    (each) => each.stop(),
  );
  const databaseUrl = server.url('postgres');
  const restored = async (...args: string[]) => {
    const env = {
      DATABASE_URL: databaseUrl,
      SECRETS_KEY: secretsKey,
      CELL: 'eu',
      FINHOOK_DATA_DIR: `${snapshot}-none`,
    };
    const run = runLocal('restored.ts', env, args);
    return { code: await run.exited, output: run.output() };
  };
  // A restore takes longer than these times.
  await withClient(databaseUrl, (client) =>
    client.query("UPDATE service_process SET seen_at = seen_at - interval '1 hour'"),
  );
  const nameless = await restored();
  expect([nameless.code, nameless.output]).toEqual([1, expect.stringContaining('give either --no-peers or a --peer')]);
  const wrong = await restored('--peer', `ap=${us.databaseUrl}`);
  expect([wrong.code, wrong.output]).toEqual([1, expect.stringContaining('is that of the cell "us"')]);
  const right = await restored('--peer', `us=${us.databaseUrl}`);
  expect(right.code, right.output).toBe(0);
  expect(JSON.parse(right.output)).toMatchObject({ closed: [{ account_id: accountId, cell: 'us', reopened: false }] });

  const api = opened.adopt(startService('api', { databaseUrl, queueUrl: databaseUrl, cell: 'eu' }), (each) =>
    each.kill(),
  );
  const there = await post(await api.ready, apiKey, 'Sent on');
  expect([there.status, there.headers.get('finhook-cell')]).toEqual([421, 'us']);
  expect((await post(us.url, apiKey, 'At home', { 'finhook-cell': 'us' })).status).toBe(201);
});
