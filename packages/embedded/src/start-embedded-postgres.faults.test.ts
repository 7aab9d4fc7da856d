// Risk: a killed server loses committed data, or a killed program leaves its server running.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { query, temporaryRoot } from '../test/servers.ts';
import { isAlive } from './live-postmaster.ts';
import { startEmbeddedPostgres } from './start-embedded-postgres.ts';

const root = temporaryRoot();

async function gone(pid: number, withinMs: number): Promise<boolean> {
  for (const deadline = Date.now() + withinMs; Date.now() < deadline; await delay(10)) if (!isAlive(pid)) return true;
  return false;
}

test('keeps what was committed over stop, kill and restart, on the same port', async () => {
  const server = await startEmbeddedPostgres({ dataDir: join(root, 'running'), port: 0, durable: true });
  const { port } = server;
  await query(server, 'create table kept (n int)');
  await query(server, 'insert into kept values (1)');
  await server.restart();
  await query(server, 'insert into kept values (2)');
  const { pid } = server;
  server.kill();
  await server.restart();
  expect(server.pid).not.toBe(pid);
  expect(server.port).toBe(port);
  expect(await query(server, 'select n from kept order by n')).toEqual([[1], [2]]);
  await server.stop();
});

test('reports an end that nobody asked for, and only such an end', async () => {
  const ends: string[] = [];
  const options = { dataDir: join(root, 'reported'), port: 0, durable: false };
  const other = await startEmbeddedPostgres({ ...options, onUnexpectedExit: (last) => ends.push(last) });
  await other.restart();
  expect(ends).toEqual([]);
  process.kill(other.pid, 'SIGTERM');
  expect(await gone(other.pid, 5_000)).toBe(true);
  await expect.poll(() => ends.length).toBe(1);
  expect(ends[0]).toContain('database system is shut down');
});

test('a parent that is killed takes the server with it, and the folder can be used again', async () => {
  const dataDir = join(root, 'orphan');
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(join(import.meta.dirname, 'start-embedded-postgres.ts'))};
    const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, port: 0, durable: false });
    console.log(server.pid);
  `;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = await new Promise<number>((resolve) => {
    createInterface({ input: parent.stdout }).once('line', (line) => resolve(Number(line)));
  });
  expect(isAlive(pid)).toBe(true);
  parent.kill('SIGKILL');
  expect(await gone(pid, 2_000)).toBe(true);
  const server = await startEmbeddedPostgres({ dataDir, port: 0, durable: false });
  await server.stop();
});
