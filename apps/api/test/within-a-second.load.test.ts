// Risk: a revoked key works, or a dashboard shows old figures, for longer than the documented second.
import { operations } from '@finhook/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiClient, createApiClient } from './api-client.ts';
import { useApi } from './api-fixture.ts';
import { type ApiProcess, startApiProcess } from './api-process.ts';
import { openEventStream } from './event-stream.ts';
import { openBrowser } from './sign-in.ts';
import { untilRejected } from './until-rejected.ts';

const ROUNDS = 20;
const SECOND = 1_000;

// The service as an operator starts it, twice, with its own intervals.
const fixture = useApi();
let processes: ApiProcess[];
let clients: [one: ApiClient, other: ApiClient];
beforeAll(async () => {
  processes = await Promise.all([startApiProcess(fixture.databaseUrl), startApiProcess(fixture.databaseUrl)]);
  const [one, other] = processes.map(({ url }) => createApiClient(url, fixture.apiKey));
  if (!one || !other) throw new Error('There are two processes.');
  clients = [one, other];
});
afterAll(() => Promise.all(processes.map((process) => process.stop())));

/** The share of a second that the slowest of some rounds took. */
async function slowest(round: () => Promise<() => Promise<unknown>>): Promise<number> {
  let most = 0;
  for (let i = 0; i < ROUNDS; i++) {
    const until = await round();
    const began = performance.now();
    await until();
    most = Math.max(most, performance.now() - began);
  }
  return most / SECOND;
}

test('a revoked key is rejected by another process within a second', async () => {
  const [one, other] = clients;
  const { create, revoke } = operations.apiKeys;
  const share = await slowest(async () => {
    const { key, id } = (await one.rest(create, { name: 'Short', scope: 'read' })).body;
    expect((await other.rest(operations.me.get, {}, { key })).status).toBe(200);
    await one.rest(revoke, { key_id: id });
    return () => untilRejected(() => other.rest(operations.me.get, {}, { key }));
  });
  expect(share).toBeLessThan(1);
});

test('an event that one process stores is sent to the dashboards of another within a second', async () => {
  const [one, other] = clients;
  const { cookie } = await openBrowser(other, fixture.apiKey);
  const stream = await openEventStream(`${processes[1]?.url}/dashboard/stream`, { cookie });
  await stream.nextOf('ready');
  const share = await slowest(async () => {
    await one.rest(operations.companies.create, { name: 'New' });
    return () => stream.nextOf('change');
  });
  expect(share).toBeLessThan(1);
  stream.destroy();
});
