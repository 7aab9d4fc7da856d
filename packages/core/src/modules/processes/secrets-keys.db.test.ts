// Risk: a process with a wrong SECRETS_KEY runs and rejects every API key, or a rotation locks a right one out.
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import { processReport } from '../../../test/process-report.ts';
import { createSecrets } from '../../kernel/secrets.ts';
import { admitSecretsKeys, readSecretsKeys, recordSecretsKeys, retireSecretsKeys } from './secrets-keys.ts';
import { announceProcess } from './service-processes.ts';

const fixture = useFixture();
beforeEach(() => fixture.core.database.owner.query('TRUNCATE secrets_key, service_process'));

const [first, second, third] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte).toString('base64'));
const idOf = (key = '') => createSecrets(key).keyIds[0];
const withKeys = (...keys: (string | undefined)[]) => ({ ...fixture.core, secrets: createSecrets(keys.join(',')) });
const start = (...keys: (string | undefined)[]) => admitSecretsKeys(withKeys(...keys));
const passADay = () => fixture.core.database.query("UPDATE secrets_key SET seen_at = seen_at - interval '25 hours'");

test('a process starts only with a key that the database was written with, and the error has no key', async () => {
  await start(first);
  await start(first);
  const refused = start(second);
  await expect(refused).rejects.toThrow(`The database knows ${idOf(first)}; this process has ${idOf(second)}`);
  await expect(refused).rejects.toMatchObject({
    name: 'SecretsKeyError',
    message: expect.not.stringContaining(second ?? ''),
  });
  // A refused start leaves nothing behind that would admit the next one.
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
  await announceProcess(withKeys(first, second), processReport);
  await retireSecretsKeys(withKeys(second));
  await expect(start(first)).resolves.toBeUndefined();
});

test('what is written under a new key after the loss of the old one lets processes with the new one start', async () => {
  await start(first);
  await expect(start(second)).rejects.toThrow('another SECRETS_KEY');
  await recordSecretsKeys(withKeys(second));
  await expect(start(second)).resolves.toBeUndefined();
});

test('a report names the running processes, and the SECRETS_KEY, that open nothing', async () => {
  await start(first);
  await announceProcess(withKeys(first), processReport);
  await announceProcess(withKeys(second), { ...processReport, id: 'proc_2', host: 'h1', pid: 8 });
  const known = [idOf(first)];
  const foreign = ['api on h1 (pid 8)'];
  expect(await readSecretsKeys(fixture.core, undefined)).toEqual({ known, foreign, isKnown: true });
  expect(await readSecretsKeys(fixture.core, second)).toEqual({ known, foreign, isKnown: false });
  expect(await readSecretsKeys(fixture.core, `${second},${first}`)).toEqual({ known, foreign, isKnown: true });
});
