// Risk: somebody whose delivery failed is not told the cause, or is told to run a command that is rejected.
import { createMigratedDatabase } from '@finhook/core/test';
import { startReceiver } from '@finhook/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { useLocalService } from '../use-local.ts';
import { type CommandLine, openCommandLine } from './run-finhook.ts';

const service = useLocalService(() => createMigratedDatabase(inject('pgUrl')));
let finhook: CommandLine;

beforeAll(() => {
  const { info } = service.local;
  finhook = openCommandLine({ FINHOOK_URL: info.api_url, FINHOOK_API_KEY: info.api_key });
});
afterAll(() => finhook.remove());

test('why tells the cause with its code, and an advice that works for the state of the endpoint', async () => {
  const create = async (url: string) => {
    const input = JSON.stringify({ url, events: ['company.created'], retry_schedule: [] });
    return JSON.parse(
      (await finhook.runWith({ input }, 'webhook-endpoints', 'create', '--input', '-', '--json')).stdout,
    ).id;
  };
  const receiver = await startReceiver();
  const id = await create(receiver.url);
  receiver.script('/', { status: 400, body: '{"reason":"no_matching_signature"}', headers: { server: 'gate/1' } });
  await finhook.run('companies', 'create', '--name', 'Why');
  const list = ['deliveries', 'list', '--endpoint-id', id, '--status', 'failed', '--json'];
  const failed = async () => JSON.parse((await finhook.run(...list)).stdout).data;
  await expect.poll(async () => (await failed()).length, { timeout: 20_000 }).toBe(1);
  const [delivery] = await failed();
  const why = async () => (await finhook.run('deliveries', 'why', delivery.id)).stdout;
  const advice = async (start: string) => {
    const line = (await why()).split('\n').find((text) => text.startsWith(start));
    return finhook.run(
      ...(line ?? '')
        .replace(/^.*: finhook /, '')
        .replace('we_…', other)
        .split(' '),
      '--json',
    );
  };
  const other = await create(receiver.url);
  expect(await why()).toMatch(
    /The last attempt: The endpoint returned 400 [^]*server: gate\/1[^]*no_matching_signature[^]*What to do: Check that the receiver has the secret of this endpoint/,
  );
  expect(await advice('Try it again now')).toMatchObject({ code: 0 });
  await expect.poll(async () => (await failed())[0].attempt_count, { timeout: 20_000 }).toBe(2);
  await finhook.run('webhook-endpoints', 'update', id, '--status', 'paused');
  expect(await why()).not.toContain('Try it again now');
  expect(await advice('Its endpoint is paused')).toMatchObject({ code: 0 });
  await finhook.run('webhook-endpoints', 'update', id, '--url', 'http://127.0.0.1:9/');
  expect(await why()).toMatch(/Try it again now \(the endpoint has another URL since the last attempt\)/);
  expect(await advice('Try it again now')).toMatchObject({ code: 0 });
  await expect
    .poll(why, { timeout: 20_000 })
    .toMatch(/refused the connection\. \(ECONNREFUSED\)[^]*server runs, listens on this port/);
  expect(await finhook.run('webhook-endpoints', 'delete', id)).toMatchObject({ code: 0 });
  expect(await why()).not.toContain('deliveries retry');
  expect(await advice('Its endpoint is deleted')).toMatchObject({ code: 0 });
  await receiver.close();
});
