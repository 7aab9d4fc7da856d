// Risk: an import stops needlessly or without a report, a probably known row is lost or stored twice, or an unwanted
// mapping is stored.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useFinhook } from './use-finhook.ts';

const finhook = useFinhook();
const { createCompany, fileOf } = finhook;
const header = 'Date,Amount,Currency,Description';
const row = '2026-03-02,-1.00,EUR,a\n';

/** Stores a file with one row, with a key that has only this permission. */
async function ingestWith(permission: string, columns: string, line: string) {
  const env = { FINHOOK_API_KEY: await finhook.createKey('--scope', 'human', '--permissions', permission) };
  const ingest = ['ingest', fileOf(`${columns}\n${line}`), await createCompany(), '--connection', 'giro'];
  const { code, stdout } = await finhook.runWith({ env }, ...ingest, '--yes', '--json');
  return { code, ...JSON.parse(stdout) };
}

test('a key that may not store balances stores the rows, and the balances are listed', async () => {
  const line = '2026-03-01,-1.00,EUR,a,10.00\n';
  expect(await ingestWith('transactions:write', `${header},Balance`, line)).toMatchObject({
    code: 1,
    stored: 1,
    balances_skipped: 1,
    messages: [{ level: 'loss', code: 'balance', line: 2 }],
  });
});

test('an import that the service rejects ends with a report', async () => {
  expect(await ingestWith('cash:write', header, row)).toMatchObject({
    code: 1,
    exit_code: 1,
    stored: 0,
    messages: [{ level: 'loss', code: 'insufficient_scope', message: expect.any(String) }],
  });
});

test('more than 500 rows of one day and amount are rejected without advice about the format', async () => {
  const ingest = ['ingest', fileOf(`${header}\n${row.repeat(501)}`), await createCompany(), '--connection', 'many'];
  const { code, stdout, stderr } = await finhook.run(...ingest, '--yes', '--json');
  expect(code).toBe(1);
  expect(stderr).toMatch(/can't be imported\. Line 2, column 1: 501 rows .* Nothing was stored/s);
  expect(stderr).not.toContain('--format');
  expect(JSON.parse(stdout)).toMatchObject({ exit_code: 1, messages: [{ code: 'unstorable', line: 2 }] });
});

test('a mapping is saved when the file is stored, and not by a dry run', async () => {
  const ingest = ['ingest', fileOf(`${header}\n${row}`), await createCompany(), '--connection', 'mapped'];
  const isSaved = () => existsSync(join(finhook.folder, 'csv-mappings.json'));
  for (const [flag, saves] of [
    ['--dry-run', false],
    ['--yes', true],
  ] as const) {
    expect(await finhook.run(...ingest, '--mapping', 'later', flag)).toMatchObject({ code: 0 });
    expect(isSaved()).toBe(saves);
  }
  const message = expect.stringContaining('--mapping later uses it');
  expect(await finhook.json(...ingest, '--dry-run')).toMatchObject({
    messages: [{ level: 'note', code: 'saved_mapping', message }],
  });
});

test('the label of a connection may have an equals sign', async () => {
  const company = await createCompany();
  const ingest = ['ingest', fileOf(`${header}\n${row}`), company, '--yes', '--connection', 'bank=giro'];
  expect(await finhook.json(...ingest)).toMatchObject({ exit_code: 0, stored: 1 });
  const list = ['bank', 'transactions', 'list', company, '--connection-id', 'bank=giro'];
  expect(await finhook.all(...list)).toHaveLength(1);
});

/** Rows are `text`, `text,reference`, or `text,reference,amount`. */
async function store(company: string, rows: readonly string[], ...flags: string[]) {
  const lines = rows.map((each) => {
    const [text, reference = '', amount = '-5.00'] = each.split(',');
    return `2026-03-01,${amount},EUR,${text},${reference}\n`;
  });
  const path = fileOf(`${header},Transaction ID\n${lines.join('')}`);
  const connection = flags.includes('--connection') ? [] : ['--connection', 'giro'];
  return await finhook.json('ingest', path, company, '--yes', ...connection, ...flags);
}

async function post(company: string, description: string): Promise<void> {
  const day = { posted_at: '2026-03-01T08:00:00Z', amount_cents: -500, currency: 'EUR', source: 'file:csv' };
  const posted = { ...day, external_id: 'mine', description, connection_id: 'giro' };
  const input = JSON.stringify({ transactions: [posted] });
  const ingested = await finhook.runWith({ input }, 'bank', 'transactions', 'ingest', company, '--input', '-');
  expect(ingested).toMatchObject({ code: 0 });
}

const textsOf = async (company: string): Promise<unknown[]> =>
  (await finhook.all('bank', 'transactions', 'list', company)).map(({ description }) => description).toSorted();

test('rows of the API are known by content, and rows with another text only are kept on demand', async () => {
  const company = await createCompany();
  await post(company, 'Fee');
  expect(await store(company, ['Fee', 'Fee'])).toMatchObject({ stored: 1, stored_before: 1, messages: [] });
  const other = ['Fee', 'Cinema'];
  const messages = [{ code: 'probably_known', line: 3 }];
  expect(await store(company, other)).toMatchObject({ stored: 0, probably_known: 1, exit_code: 0, messages });
  expect(await store(company, other, '--keep-similar')).toMatchObject({ stored: 1, probably_known: 0 });
  expect(await store(company, other, '--keep-similar')).toMatchObject({ stored: 0, stored_before: 2 });
  expect(await textsOf(company)).toEqual(['Cinema', 'Fee', 'Fee']);
});

test('an equal row that a later file adds is kept too', async () => {
  const company = await createCompany();
  await store(company, ['Coffee']);
  expect(await store(company, ['Tea'], '--keep-similar')).toMatchObject({ stored: 1 });
  expect(await store(company, ['Tea', 'Tea'], '--keep-similar')).toMatchObject({ stored: 1, stored_before: 1 });
  expect(await textsOf(company)).toEqual(['Coffee', 'Tea', 'Tea']);
  // All three rows are known.
  expect(await store(company, ['Tea', 'Coffee', 'Tea'], '--keep-similar')).toMatchObject({ stored: 0 });
});

test('a row that is kept keeps its reference, and is known by it when the bank changes the text', async () => {
  const company = await createCompany();
  await store(company, ['Coffee,R1']);
  await store(company, ['Tea,R2'], '--keep-similar');
  const known = { stored: 0, stored_before: 2, probably_known: 0 };
  expect(await store(company, ['Coffee,R1', 'Tea shop,R2'], '--keep-similar')).toMatchObject(known);
  expect(await textsOf(company)).toEqual(['Coffee', 'Tea']);
});

test('a row whose reference the bank uses again is listed, and stored once if it is to be kept', async () => {
  const company = await createCompany();
  await store(company, ['Coffee,0', 'Rent,0,-900.00']);
  const later = ['Tea,0', 'Rent,0,-900.00'];
  const messages = [{ code: 'probably_known', line: 2 }];
  expect(await store(company, later)).toMatchObject({ stored: 0, probably_known: 1, messages });
  expect(await store(company, later, '--keep-similar')).toMatchObject({ stored: 1, probably_known: 0 });
  expect(await store(company, later, '--keep-similar')).toMatchObject({ stored: 0, messages: [] });
  expect(await textsOf(company)).toEqual(['Coffee', 'Rent', 'Tea']);
});

test.each([
  ['Fee', [{ code: 'other_connection' }], 0],
  ['Cinema', [{ code: 'probably_known', message: expect.stringContaining('of the connection giro') }], 1],
])(
  'of the rows that are stored under the connection of another currency, %s is known or listed',
  async (text, messages, kept) => {
    const company = await createCompany();
    await post(company, 'Fee');
    const flags = ['--connection', '/EUR=giro EUR'];
    expect(await store(company, [text], ...flags)).toMatchObject({ stored: 0, stored_before: 1, messages });
    expect(await store(company, [text], ...flags, '--keep-similar')).toMatchObject({ stored: kept });
    expect(await textsOf(company)).toHaveLength(1 + kept);
  },
);
