// Risk: doctor accepts a Redis that evicts jobs or another service's 404, or hangs at an unresponsive Redis.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startRedis } from '@finhook/testing';
import { expect, test } from 'vitest';
import { openCommandLine } from './run-finhook.ts';

const key = `sk_test_${'a'.repeat(36)}`;

/** The finding about the queue; no service runs. */
async function findingOf(queueUrl: string): Promise<string | undefined> {
  const finhook = openCommandLine({ FINHOOK_URL: 'http://127.0.0.1:9', FINHOOK_API_KEY: key, QUEUE_URL: queueUrl });
  const { stdout } = await finhook.run('doctor');
  finhook.remove();
  return stdout.split('\n').find((line) => / queue /.test(line));
}

test('doctor accepts a Redis that keeps its jobs, and warns of one that deletes them', async () => {
  const good = await startRedis();
  expect(await findingOf(good.url)).toMatch(/^ok +queue +Redis \d+\.\d+\S*, noeviction, /);
  await good.stop();
  const evicting = await startRedis({ args: ['--maxmemory-policy', 'allkeys-lru'] });
  expect(await findingOf(evicting.url)).toMatch(
    /^warning +queue .*allkeys-lru.*CONFIG SET maxmemory-policy noeviction$/,
  );
  await evicting.stop();
});

test('doctor says why a Redis cannot be used, without its password', async () => {
  const stopped = await startRedis();
  await stopped.stop();
  const finding = await findingOf(stopped.url.replace('redis://', 'redis://user:hush@'));
  expect(finding).toMatch(/^failed +queue +QUEUE_URL can't be used: .*ECONNREFUSED/);
  expect(finding).not.toContain('hush');
});

test.each([
  ['warning', 'a proxy is in front', 'application/problem+json', '{"code":"not_found"}'],
  ['failed', 'not the response of finhook', 'text/html', '<h1>Not Found</h1>'],
])('doctor has a %s of a 404 of /readyz: %s', async (result, text, type, body) => {
  const server = createServer((_, response) => response.writeHead(404, { 'content-type': type }).end(body));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${portOf(server.address())}`;
  const finhook = openCommandLine({ FINHOOK_URL: url, FINHOOK_API_KEY: key });
  const { stdout } = await finhook.run('doctor');
  finhook.remove();
  server.close();
  expect(stdout).toMatch(new RegExp(`^${result} +ready .*${text}`, 'm'));
});

// A TCP server has an AddressInfo.
function portOf(address: string | AddressInfo | null): number {
  return (address as AddressInfo).port;
}
