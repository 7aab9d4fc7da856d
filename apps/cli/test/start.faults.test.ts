// Risk: a killed start leaves a running PostgreSQL, or a folder that no start can use.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '@finhook/embedded';
import { afterAll, expect, test, vi } from 'vitest';
import { runLocal, temporaryFolder } from './local-process.ts';

const READY = 'Ctrl-C stops everything';
const folder = temporaryFolder();
const services = new AsyncDisposableStack();
afterAll(async () => {
  await services.disposeAsync();
  folder.remove();
});

async function start() {
  const local = runLocal('main.ts', { FINHOOK_DATA_DIR: folder.path, PORT: '0' });
  services.defer(async () => {
    local.child.kill('SIGKILL');
    await local.exited;
  });
  await local.printed(READY);
  return local;
}

test('killed with SIGKILL it leaves no PostgreSQL, and the next start recovers', { timeout: 60_000 }, async () => {
  const first = await start();
  const server = Number(readFileSync(join(folder.path, 'postgres', 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
  first.child.kill('SIGKILL');
  await first.exited;
  const second = await start();
  // The second server could use the data; the first process may need a moment more to exit.
  await vi.waitFor(() => expect(isAlive(server)).toBe(false), { timeout: 5_000 });
  second.child.kill('SIGTERM');
  expect(await second.exited).toBe(0);
});
