// Risk: test files share rows, or race for the template, and so pass or fail by chance.
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { expect, inject, test } from 'vitest';
import { createTestDatabase, ensureTemplate, withClient } from './test-database.ts';

const adminUrl = inject('pgUrl');
const templateName = () => `template_${randomBytes(6).toString('hex')}`;
const run = (url: string, sql: string) => withClient(url, async (client) => (await client.query(sql)).rows);
const createNotes = async (url: string) =>
  void (await run(url, "create table note (text text); insert into note values ('seed')"));

test('a template is migrated once, however many ask at the same time', async () => {
  const template = templateName();
  let migrations = 0;
  const ask = () =>
    ensureTemplate(adminUrl, template, async (url) => {
      migrations += 1;
      await createNotes(url);
    });
  await Promise.all([ask(), ask(), ask(), ask()]);
  expect(migrations).toBe(1);
});

test('clones hold what the template holds and share nothing', async () => {
  const template = templateName();
  await ensureTemplate(adminUrl, template, createNotes);
  const [one, two] = await Promise.all([
    createTestDatabase(adminUrl, { template }),
    createTestDatabase(adminUrl, { template }),
  ]);
  await run(one.url, "insert into note values ('mine')");
  expect(await run(one.url, 'select text from note order by text')).toEqual([{ text: 'mine' }, { text: 'seed' }]);
  expect(await run(two.url, 'select text from note')).toEqual([{ text: 'seed' }]);
  await Promise.all([one.drop(), two.drop()]);
});

test('a failed migration leaves no template, so that the next try starts afresh', async () => {
  const template = templateName();
  const failing = ensureTemplate(adminUrl, template, async (url) => {
    await createNotes(url);
    throw new Error('migration 7 failed');
  });
  await expect(failing).rejects.toThrow('migration 7 failed');
  await ensureTemplate(adminUrl, template, createNotes);
  const database = await createTestDatabase(adminUrl, { template });
  expect(await run(database.url, 'select text from note')).toEqual([{ text: 'seed' }]);
  await database.drop();
});

test('drop ends connections that a test left open', async () => {
  const database = await createTestDatabase(adminUrl);
  const forgotten = new Client({ connectionString: database.url });
  const ended = new Promise((resolve) => forgotten.on('error', resolve));
  await forgotten.connect();
  await database.drop();
  await ended;
  expect(await run(adminUrl, `select 1 from pg_database where datname = '${database.name}'`)).toEqual([]);
});
