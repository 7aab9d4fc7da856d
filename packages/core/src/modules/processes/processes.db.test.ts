// Risk: dead workers look alive, a wrong SECRETS_KEY starts, or a rotation rejects a right one.
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import { createSecrets } from '../../access/secrets.ts';
import { admitSecretsKeys, readSecretsKeys, recordSecretsKeys, retireSecretsKeys } from './secrets-keys.ts';
import { announceProcess, listProcesses, purgeProcesses, startHeartbeat } from './service-processes.ts';

const fixture = useFixture();
beforeEach(() => fixture.core.database.owner.query('TRUNCATE secrets_key, service_process'));

const report = {
  id: 'proc_1',
  role: 'worker' as const,
  host: 'h1',
  pid: 7,
  version: '0.1.0',
  uptimeMs: 60_000,
  inFlight: 3,
  connections: { busy: 1, idle: 2, waiting: 0 },
};
const age = (id: string, seconds: number) =>
  fixture.core.database.query(
    "UPDATE service_process SET seen_at = seen_at - $2::int * interval '1 second' WHERE id = $1",
    [id, seconds],
  );

test('a process is alive while it says so, gone after 20 s of silence, and forgotten after a day', async () => {
  const { core } = fixture;
  await announceProcess(core, { ...report, id: 'proc_2', role: 'api' });
  await announceProcess(core, report);
  await announceProcess(core, { ...report, uptimeMs: 0, inFlight: 5 });
  const [first, second, ...others] = await listProcesses(core);
  expect(others).toEqual([]);
  expect(first).toMatchObject({ id: 'proc_1', gone: false, inFlight: 5, connections: report.connections });
  expect(second).toMatchObject({ id: 'proc_2', gone: false });
  // The start is that of the first report.
  expect((first?.seenAt.getTime() ?? 0) - (first?.startedAt.getTime() ?? 0)).toBeGreaterThanOrEqual(60_000);

  await age('proc_1', 18);
  expect((await listProcesses(core))[0]).toMatchObject({ id: 'proc_1', gone: false });
  await age('proc_1', 3);
  expect((await listProcesses(core)).map(({ id, gone }) => [id, gone])).toEqual([
    ['proc_2', false],
    ['proc_1', true],
  ]);
  await purgeProcesses(core);
  expect(await listProcesses(core)).toHaveLength(2);
  await age('proc_1', 86_400);
  await purgeProcesses(core);
  expect((await listProcesses(core)).map(({ id }) => id)).toEqual(['proc_2']);
});

test('a heartbeat reports repeatedly, and withdraws the process at the end', async () => {
  const { core } = fixture;
  let inFlight = 1;
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const heartbeat = startHeartbeat(core, {
    role: 'worker',
    version: '9',
    inFlight: () => inFlight,
    onError,
    everyMs: 10,
  });
  await expect.poll(() => listProcesses(core)).toMatchObject([{ role: 'worker', pid: process.pid, inFlight: 1 }]);
  inFlight = 2;
  await expect.poll(() => listProcesses(core)).toMatchObject([{ version: '9', inFlight: 2 }]);
  await heartbeat.close();
  expect(await listProcesses(core)).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect([await listProcesses(core), errors]).toEqual([[], []]);
});

test('a database that hears nothing stops neither the process nor its end', async () => {
  const errors: unknown[] = [];
  const query = () => Promise.reject(new Error('away'));
  const core = { ...fixture.core, database: { ...fixture.core.database, query } };
  const onError = (error: unknown) => void errors.push(error);
  const heartbeat = startHeartbeat(core, { role: 'api', version: '9', onError, everyMs: 1 });
  await expect.poll(() => errors.length).toBeGreaterThan(2);
  await heartbeat.close();

  const hung = { ...fixture.core, database: { ...fixture.core.database, query: () => new Promise<never>(() => {}) } };
  await startHeartbeat(hung, { role: 'api', version: '9', onError, closeMs: 20 }).close();
});

const [first, second, third] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte).toString('base64'));
const idOf = (key = '') => createSecrets(key).keyIds[0];
const withKeys = (...keys: (string | undefined)[]) => ({ ...fixture.core, secrets: createSecrets(keys.join(',')) });
const start = (...keys: (string | undefined)[]) => admitSecretsKeys(withKeys(...keys));
const passADay = () => fixture.core.database.query("UPDATE secrets_key SET seen_at = seen_at - interval '25 hours'");

test('a process starts only with a key that the database was written with, and the error has no key', async () => {
  await start(first);
  await start(first);
  const rejected = start(second);
  await expect(rejected).rejects.toThrow(`The database knows ${idOf(first)}; this process has ${idOf(second)}`);
  await expect(rejected).rejects.toMatchObject({
    name: 'SecretsKeyError',
    message: expect.not.stringContaining(second ?? ''),
  });
  // A rejected start records no key that would admit the next one.
  await expect(start(second, third)).rejects.toThrow('another SECRETS_KEY');
});

test('each step of a rotation starts, and a day later the old key no longer does', async () => {
  for (const keys of [[first], [first, second], [second, first], [second]]) await start(...keys);
  await passADay();
  await retireSecretsKeys(withKeys(second));
  await expect(start(first)).rejects.toThrow('another SECRETS_KEY');
  await start(second);
});

test('a service that was off for days starts with its key, and so does one with a process that still has the old one', async () => {
  await start(first);
  await passADay();
  await start(first);
  await start(first, second);
  await passADay();
  await announceProcess(withKeys(first, second), report);
  await retireSecretsKeys(withKeys(second));
  await expect(start(first)).resolves.toBeUndefined();
});

test('after the loss of a key, data written with a new key admits processes with the new key', async () => {
  await start(first);
  await expect(start(second)).rejects.toThrow('another SECRETS_KEY');
  await recordSecretsKeys(withKeys(second));
  await expect(start(second)).resolves.toBeUndefined();
});

test('a report names the running processes, and the SECRETS_KEY, that open nothing', async () => {
  await start(first);
  await announceProcess(withKeys(first), report);
  await announceProcess(withKeys(second), { ...report, id: 'proc_2', role: 'api', pid: 8 });
  const known = [idOf(first)];
  const foreign = ['api on h1 (pid 8)'];
  expect(await readSecretsKeys(fixture.core, undefined)).toEqual({ known, foreign, isKnown: true });
  expect(await readSecretsKeys(fixture.core, second)).toEqual({ known, foreign, isKnown: false });
  expect(await readSecretsKeys(fixture.core, `${second},${first}`)).toEqual({ known, foreign, isKnown: true });
});
