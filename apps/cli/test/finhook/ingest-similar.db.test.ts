// Risk: a row that is only probably known is lost, stored twice, or not shown.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMigratedDatabase } from '@finhook/core/test';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { useLocalService } from '../use-local.ts';
import { type CommandLine, openCommandLine } from './run-finhook.ts';

const service = useLocalService(() => createMigratedDatabase(inject('pgUrl')));
let finhook: CommandLine;
let count = 0;
beforeAll(() => {
  const { api_url, api_key } = service.local.info;
  finhook = openCommandLine({ FINHOOK_URL: api_url, FINHOOK_API_KEY: api_key });
});
afterAll(() => finhook.remove());

async function createCompany(): Promise<string> {
  return JSON.parse((await finhook.run('companies', 'create', '--name', 'Beta', '--json')).stdout).id;
}

/** Rows are `text` or `text,reference`, or `text,reference,amount`. */
async function ingest(company: string, rows: readonly string[], ...flags: string[]) {
  const lines = rows.map((row) => {
    const [text, reference = '', amount = '-5.00'] = row.split(',');
    return `2026-03-01,${amount},EUR,${text},${reference}\n`;
  });
  const path = join(finhook.folder, `similar-${count++}.csv`);
  writeFileSync(path, `Date,Amount,Currency,Description,Transaction ID\n${lines.join('')}`);
  const connection = flags.includes('--connection') ? [] : ['--connection', 'giro'];
  return JSON.parse((await finhook.run('ingest', path, company, '--yes', '--json', ...connection, ...flags)).stdout);
}

async function post(company: string, row: object): Promise<void> {
  const input = join(finhook.folder, `posted-${count++}.json`);
  const base = { posted_at: '2026-03-01T12:00:00Z', amount_cents: -500, currency: 'EUR', source: 'file:csv' };
  writeFileSync(input, JSON.stringify({ transactions: [{ ...base, ...row }] }));
  expect(await finhook.run('bank', 'transactions', 'ingest', company, '--input', input)).toMatchObject({ code: 0 });
}

async function textsOf(company: string): Promise<unknown[]> {
  const { stdout } = await finhook.run('bank', 'transactions', 'list', company, '--all', '--json');
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).description)
    .toSorted();
}

test('an equal row that a later file adds is kept too', async () => {
  const company = await createCompany();
  await ingest(company, ['Coffee']);
  expect(await ingest(company, ['Tea'], '--keep-similar')).toMatchObject({ stored: 1 });
  expect(await ingest(company, ['Tea', 'Tea'], '--keep-similar')).toMatchObject({ stored: 1, stored_before: 1 });
  expect(await textsOf(company)).toEqual(['Coffee', 'Tea', 'Tea']);
  // The three rows are known now.
  expect(await ingest(company, ['Tea', 'Coffee', 'Tea'], '--keep-similar')).toMatchObject({ stored: 0 });
});

test('a row that is kept keeps its reference, and is known by it when the bank changes the text', async () => {
  const company = await createCompany();
  await ingest(company, ['Coffee,R1']);
  await ingest(company, ['Tea,R2'], '--keep-similar');
  expect(await ingest(company, ['Coffee,R1', 'Tea shop,R2'], '--keep-similar')).toMatchObject({
    stored: 0,
    stored_before: 2,
    probably_known: 0,
  });
  expect(await textsOf(company)).toEqual(['Coffee', 'Tea']);
});

test('a row whose reference the bank uses again is listed, and stored once if it is to be kept', async () => {
  const company = await createCompany();
  await ingest(company, ['Coffee,0', 'Rent,0,-900.00']);
  const later = ['Tea,0', 'Rent,0,-900.00'];
  expect(await ingest(company, later)).toMatchObject({
    stored: 0,
    probably_known: 1,
    messages: [{ code: 'probably_known', line: 2 }],
  });
  expect(await ingest(company, later, '--keep-similar')).toMatchObject({ stored: 1, probably_known: 0 });
  expect(await ingest(company, later, '--keep-similar')).toMatchObject({ stored: 0, messages: [] });
  expect(await textsOf(company)).toEqual(['Coffee', 'Rent', 'Tea']);
});

test.each([
  ['Fee', [{ code: 'other_connection' }], 0],
  ['Cinema', [{ code: 'probably_known', message: expect.stringContaining('of the connection giro') }], 1],
])(
  'of the rows that are stored under the connection of another currency, %s is known or listed',
  async (text, messages, kept) => {
    const company = await createCompany();
    await post(company, { external_id: 'a', description: 'Fee', connection_id: 'giro' });
    const flags = ['--connection', '/EUR=giro EUR'];
    expect(await ingest(company, [text], ...flags)).toMatchObject({ stored: 0, stored_before: 1, messages });
    expect(await ingest(company, [text], ...flags, '--keep-similar')).toMatchObject({ stored: kept });
    expect(await textsOf(company)).toHaveLength(1 + kept);
  },
);
