// Risk: the cause of a failed delivery is not shown, or a suggested command is rejected.
import { startReceiver } from '@finhook/testing';
import { expect, onTestFinished, test } from 'vitest';
import { useFinhook } from './use-finhook.ts';

const finhook = useFinhook();

test('why shows the cause with its code, and advice that works for the state of the endpoint', async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const input = JSON.stringify({ url: receiver.url, events: ['company.created'], retry_schedule: [] });
  const create = async () => {
    const { stdout } = await finhook.runWith({ input }, 'webhook-endpoints', 'create', '--input', '-', '--json');
    return String(JSON.parse(stdout).id);
  };
  const id = await create();
  receiver.script('/', { status: 400, body: '{"reason":"no_matching_signature"}', headers: { server: 'gate/1' } });
  await finhook.createCompany();
  const failed = () => finhook.all('deliveries', 'list', '--endpoint-id', id, '--status', 'failed');
  await expect.poll(failed, { timeout: 20_000 }).toHaveLength(1);
  const [delivery] = await failed();
  const other = await create();
  const why = async () => (await finhook.run('deliveries', 'why', String(delivery?.['id']))).stdout;
  const update = (...flags: string[]) => finhook.run('webhook-endpoints', 'update', id, ...flags);
  /** Runs the command of the line with this start. */
  const expectAdvice = async (start: string) => {
    const line = (await why()).split('\n').find((text) => text.startsWith(start)) ?? '';
    const command = line.replace(/^.*: finhook /, '').replace('we_…', other);
    expect(await finhook.run(...command.split(' '), '--json'), line).toMatchObject({ code: 0 });
  };
  expect(await why()).toMatch(
    /The last attempt: The endpoint returned 400 [^]*server: gate\/1[^]*no_matching_signature[^]*What to do: Check that the receiver has the secret of this endpoint/,
  );
  await expectAdvice('Try it again now');
  await expect.poll(failed, { timeout: 20_000 }).toMatchObject([{ attempt_count: 2 }]);
  await update('--status', 'paused');
  expect(await why()).not.toContain('Try it again now');
  await expectAdvice('Its endpoint is paused');
  await update('--url', 'http://127.0.0.1:9/');
  expect(await why()).toMatch(/Try it again now \(the endpoint has another URL since the last attempt\)/);
  await expectAdvice('Try it again now');
  await expect
    .poll(why, { timeout: 20_000 })
    .toMatch(/refused the connection\. \(ECONNREFUSED\)[^]*server runs, listens on this port/);
  expect(await finhook.run('webhook-endpoints', 'delete', id)).toMatchObject({ code: 0 });
  expect(await why()).not.toContain('deliveries retry');
  await expectAdvice('Its endpoint is deleted');
});
