// Risk: a bank file is stored twice, in part, or with other values than it has, and nobody notices.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMigratedDatabase } from '@finhook/core/test';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { useLocalService } from '../use-local.ts';
import { type CommandLine, openCommandLine } from './run-finhook.ts';

const service = useLocalService(() => createMigratedDatabase(inject('pgUrl')));
const sample = (path: string) =>
  fileURLToPath(new URL(`../../../../packages/bank-files/test/samples/${path}`, import.meta.url));
const camt = sample('camt/camt053.v2.multi.statement.xml');

let finhook: CommandLine;
let count = 0;
beforeAll(() => {
  const { api_url, api_key } = service.local.info;
  finhook = openCommandLine({ FINHOOK_URL: api_url, FINHOOK_API_KEY: api_key });
});
afterAll(() => finhook.remove());

async function createCompany(...flags: string[]): Promise<string> {
  const { stdout } = await finhook.run('companies', 'create', '--name', 'Beta', '--json', ...flags);
  return JSON.parse(stdout).id;
}

function fileOf(text: string): string {
  const path = join(finhook.folder, `statement-${count++}.csv`);
  writeFileSync(path, text);
  return path;
}

async function rowsOf(company: string): Promise<Record<string, unknown>[]> {
  const { stdout } = await finhook.run('bank', 'transactions', 'list', company, '--all', '--json');
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

test('a CAMT.053 file is shown, stored with its balances, and found stored the next time', async () => {
  const company = await createCompany('--timezone', 'America/New_York');
  const ingest = ['ingest', camt, company, '--yes', '--json'];
  const first = await finhook.run(...ingest);
  expect(first.code).toBe(0);
  expect(first.stderr).toMatch(/camt\.053[^]*America\/New_York[^]*NL26VAYB8060476890[^]*€[^]*2 rows: 2 new/);
  const result = { format: 'camt.053', dry_run: false, rows: 2, skipped: 0, skipped_file: null };
  expect(JSON.parse(first.stdout)).toMatchObject({ ...result, stored: 2, stored_before: 0, balances_before: 0 });
  const rows = await rowsOf(company);
  expect(rows.map(({ amount_cents, posted_at }) => [amount_cents, posted_at])).toEqual(
    expect.arrayContaining([[expect.any(Number), expect.stringContaining('T17:00:00')]]),
  );
  const events = await finhook.run('events', 'list', '--company-id', company, '--all', '--json');
  expect(JSON.parse((await finhook.run(...ingest)).stdout)).toMatchObject({
    ...result,
    stored: 0,
    stored_before: 2,
    balances_stored: 0,
  });
  // A repetition that changes nothing emits nothing.
  expect(await finhook.run('events', 'list', '--company-id', company, '--all', '--json')).toEqual(events);
  expect(await rowsOf(company)).toEqual(rows);
});

test('columns of a CSV file are mapped by flags, saved by name, and used only for a file that names the mapping', async () => {
  const company = await createCompany();
  const header = 'Wann;Wieviel;Wofür\n';
  const path = fileOf(`${header}03.04.2026;-1.200,50;Miete\n`);
  const guess = await finhook.run('ingest', path, company, '--yes');
  expect(guess).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/Which column has the date\?.*--map/),
  });
  const map = ['--map', 'date=Wann', '--map', 'amount=Wieviel', '--map', 'description=Wofür'];
  const wrong = await finhook.run('ingest', path, company, '--yes', ...map, '--map', 'category=Art');
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('The file has: Wann, Wieviel, Wofür') });
  const named = ['--mapping', 'house-bank', '--connection', 'giro'];
  const flags = ['--currency', 'EUR', ...named];
  expect(await finhook.run('ingest', path, company, '--yes', ...map, ...flags)).toMatchObject({ code: 0 });
  expect(statSync(join(finhook.folder, 'csv-mappings.json')).mode & 0o777).toBe(0o600);
  const next = fileOf(`${header}05.04.2026;-1,00;Zins\n`);
  expect(await finhook.run('ingest', next, company, '--yes', '--connection', 'giro')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--mapping house-bank uses it'),
  });
  const silent = await finhook.run('ingest', next, company, '--yes', '--connection', 'giro', '--no-mapping');
  expect(silent.stderr).not.toContain('house-bank');
  // It names neither its columns nor its currency.
  expect(await finhook.run('ingest', next, company, '--yes', ...named)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('the saved mapping house-bank'),
  });
  const rows = await rowsOf(company);
  expect(
    rows.map(({ amount_cents, currency, description, posted_at }) => [amount_cents, currency, description, posted_at]),
  ).toEqual([
    [-100, 'EUR', 'Zins', '2026-04-05T12:00:00.000Z'],
    [-120_050, 'EUR', 'Miete', '2026-04-03T12:00:00.000Z'],
  ]);
});

test('rows that cannot be stored are listed in a file, and the others are stored', async () => {
  const company = await createCompany();
  const path = fileOf(
    'Date,Amount,Currency,Description\n2026-03-01,-1.00,USD,=A1\n2026-03-02,x,USD,y\n2026-03-03,2.00,USD,z\n',
  );
  const ingest = ['ingest', path, company, '--connection', 'giro'];
  const dry = await finhook.run(...ingest, '--dry-run', '--json');
  expect(dry.code).toBe(1);
  expect(JSON.parse(dry.stdout)).toMatchObject({ dry_run: true, rows: 3, stored: 2, skipped: 1, skipped_file: null });
  expect(await rowsOf(company)).toEqual([]);
  const { code, stderr } = await finhook.run(...ingest, '--yes');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining(`1 row skipped, listed in ${path}.skipped.csv`),
  });
  const skipped = /^line,reason,.*\r\n3,"the row is left out: ""x"" is not an amount",,,,,\r\n$/;
  expect(readFileSync(`${path}.skipped.csv`, 'utf8')).toMatch(skipped);
  expect(await rowsOf(company)).toHaveLength(2);
  // The same rows with another label are known, and neither changed.
  const again = await finhook.run(...ingest, '--yes', '--source', 'other', '--skipped', `${path}.other`, '--json');
  expect(again.code).toBe(1);
  expect(JSON.parse(again.stdout)).toMatchObject({ stored: 0, stored_before: 2, skipped: 1 });
  expect(readFileSync(`${path}.other`, 'utf8')).toMatch(skipped);
  expect(await rowsOf(company)).toHaveLength(2);
});

test('a question is an error with its flag and exit code 2, and is in the JSON', async () => {
  const company = await createCompany();
  const path = fileOf('Date,Amount,Description\n03/04/2026,-1.00,a\n');
  const asked = await finhook.run('ingest', path, company, '--yes', '--json');
  expect(asked).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/DD\/MM\/YYYY or MM\/DD\/YYYY.*\(--date-format/),
  });
  const { questions, exit_code } = JSON.parse(asked.stdout);
  expect(exit_code).toBe(2);
  expect(questions.map(({ code }: { code: string }) => code).sort()).toEqual(['account', 'currency', 'date_format']);
  expect(await rowsOf(company)).toEqual([]);
  const flags = ['--date-format', 'DD/MM/YYYY', '--currency', 'EUR', '--connection', 'giro'];
  expect(await finhook.run('ingest', path, company, '--yes', ...flags)).toMatchObject({ code: 0 });
  expect(await rowsOf(company)).toMatchObject([{ posted_at: '2026-04-03T12:00:00.000Z', connection_id: 'giro' }]);
});

test('rows that do not explain the balances are stored only with --accept-totals', async () => {
  const company = await createCompany();
  const path = fileOf(
    'Date,Amount,Currency,Description,Balance\n2026-03-01,-1.00,EUR,a,99.00\n2026-03-02,-1.00,EUR,b,90.00\n',
  );
  const ingest = ['ingest', path, company, '--yes', '--json', '--connection', 'giro'];
  const refused = await finhook.run(...ingest);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--accept-totals') });
  const message = { level: 'warning', code: 'totals', line: 3 };
  expect(JSON.parse(refused.stdout)).toMatchObject({ stored: 0, exit_code: 1, messages: [message] });
  expect(await rowsOf(company)).toEqual([]);
  expect(await finhook.run(...ingest, '--accept-totals', '--no-accept-totals')).toMatchObject({ code: 1 });
  const accepted = await finhook.run(...ingest, '--accept-totals');
  expect(accepted.code).toBe(0);
  expect(JSON.parse(accepted.stdout)).toMatchObject({ stored: 2, balances_stored: 0, messages: [message] });
});

test('rows of the API are known by content, and rows with another text only are kept on demand', async () => {
  const company = await createCompany();
  const csv = (...texts: string[]) =>
    fileOf(`Date,Amount,Currency,Description\n${texts.map((each) => `2026-03-01,-5.00,EUR,${each}\n`).join('')}`);
  const ingest = async (path: string, ...flags: string[]) =>
    JSON.parse(
      (await finhook.run('ingest', path, company, '--yes', '--json', '--connection', 'giro', ...flags)).stdout,
    );
  const row = { external_id: 'mine', posted_at: '2026-03-01T08:00:00Z', amount_cents: -500, currency: 'EUR' };
  const posted = { transactions: [{ ...row, description: 'Fee', connection_id: 'giro' }] };
  const input = join(finhook.folder, 'posted.json');
  writeFileSync(input, JSON.stringify(posted));
  await finhook.run('bank', 'transactions', 'ingest', company, '--input', input);
  expect(await ingest(csv('Fee', 'Fee'))).toMatchObject({ stored: 1, stored_before: 1, messages: [] });
  const other = csv('Fee', 'Cinema');
  expect(await ingest(other)).toMatchObject({
    stored: 0,
    probably_known: 1,
    exit_code: 0,
    messages: [{ code: 'probably_known', line: 3 }],
  });
  expect(await ingest(other, '--keep-similar')).toMatchObject({ stored: 1, probably_known: 0 });
  expect(await ingest(other, '--keep-similar')).toMatchObject({ stored: 0, stored_before: 2 });
  expect(await rowsOf(company)).toHaveLength(3);
});

test('two currencies of an account have connections of their own, and another currency than the stored one is asked', async () => {
  const company = await createCompany();
  const csv = (...currencies: string[]) =>
    fileOf(
      `Date,Amount,Currency,Description,Account\n${currencies.map((each) => `2026-03-01,-5.00,${each},a,77\n`).join('')}`,
    );
  expect(await finhook.run('ingest', csv('USD'), company, '--yes')).toMatchObject({ code: 0 });
  const asked = await finhook.run('ingest', csv('EUR'), company, '--yes');
  expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('--connection 77/EUR=ID') });
  expect(await finhook.run('ingest', csv('EUR', 'USD'), company, '--yes')).toMatchObject({ code: 0 });
  const rows = await rowsOf(company);
  expect(rows.map(({ currency, connection_id }) => `${String(currency)} ${String(connection_id)}`).sort()).toEqual([
    'EUR 77 EUR',
    'USD 77',
  ]);
});

test('an entry that is not booked is left out with a note, and is no skipped row', async () => {
  const company = await createCompany();
  const text = readFileSync(camt, 'utf8').replaceAll(/<Bal>[^]*?<\/Bal>/g, '');
  const path = fileOf(text.replace('<Sts>BOOK</Sts>', '<Sts>PDNG</Sts>'));
  const { code, stdout, stderr } = await finhook.run('ingest', path, company, '--yes', '--json');
  expect(code).toBe(0);
  expect(stderr).toMatch(/^Note: line \d+: .*PDNG[^]*^1 row: 1 new/m);
  expect(JSON.parse(stdout)).toMatchObject({ rows: 1, stored: 1, skipped: 0, skipped_file: null });
});

test('a saved mapping keeps its row of column names when it is used and saved again', async () => {
  const company = await createCompany();
  const path = fileOf('Bank;Konto;Blatt\nWann;Wieviel;Wofür\n03.04.2026;-1.200,50;Miete\n');
  const ingest = ['ingest', path, company, '--yes', '--mapping', 'with-title', '--connection', 'giro'];
  const columns = ['--map', 'date=Wann', '--map', 'amount=Wieviel', '--map', 'description=Wofür'];
  const map = ['--header-line', '2', ...columns, '--currency', 'EUR'];
  for (const flags of [map, [], []]) {
    const { code, stderr } = await finhook.run(...ingest, ...flags);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('row 2 has their names') });
  }
});

test('stdin is read, and each account gets its connection', async () => {
  const company = await createCompany();
  const input = readFileSync(camt, 'utf8');
  const unknown = await finhook.runWith({ input }, 'ingest', '-', company, '--yes', '--connection', 'NL00=other');
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('only NL26VAYB8060476890') });
  const connection = ['--connection', 'NL26VAYB8060476890=operating'];
  const stored = await finhook.runWith({ input }, 'ingest', '-', '--company-id', company, '--yes', ...connection);
  expect(stored.code).toBe(0);
  expect((await rowsOf(company)).map((row) => row['connection_id'])).toEqual(['operating', 'operating']);
});

test('nothing is stored without a terminal or --yes, or of a file that cannot be read', async () => {
  const company = await createCompany();
  expect(await finhook.run('ingest', camt, company)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--yes'),
  });
  const cut = fileOf(readFileSync(camt, 'utf8').slice(0, 4000));
  const unreadable = await finhook.run('ingest', cut, company, '--yes');
  expect(unreadable).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/can't be read\. Line \d+, column \d+: [^]*What to do: Nothing was stored/),
  });
  const json = await finhook.run('ingest', cut, company, '--yes', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject({ exit_code: 1, stored: 0, messages: [{ code: 'unreadable' }] });
  expect(await finhook.run('ingest', `${cut}.none`, company)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("can't be read"),
  });
  expect(await finhook.run('ingest', camt, 'co_none', '--yes')).toMatchObject({ code: 1 });
  expect(await rowsOf(company)).toEqual([]);
  expect(existsSync(`${cut}.skipped.csv`)).toBe(false);
});

test('a key that may only push names the time zone, which it cannot read', async () => {
  const company = await createCompany();
  const flags = ['--name', 'Bank', '--scope', 'ingest', '--company-ids', company, '--json'];
  const { key } = JSON.parse((await finhook.run('api-keys', 'create', ...flags)).stdout);
  const env = { FINHOOK_API_KEY: key };
  expect(await finhook.runWith({ env }, 'ingest', camt, company, '--yes')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--time-zone'),
  });
  expect(await finhook.runWith({ env }, 'ingest', camt, company, '--yes', '--time-zone', 'Mars/Base')).toMatchObject({
    code: 2,
  });
  const stored = await finhook.runWith({ env }, 'ingest', camt, company, '--yes', '--time-zone', 'Europe/Berlin');
  expect(stored).toMatchObject({ code: 0, stderr: expect.stringContaining('2 rows: 2 new') });
  expect((await rowsOf(company)).length).toBe(2);
});

test('after Ctrl-C in the middle of a file the same command continues', { timeout: 60_000 }, async () => {
  const company = await createCompany();
  const lines = Array.from({ length: 3_000 }, (_, i) => `2026-03-01,-${i + 1}.00,USD,Row ${i}`);
  const ingest = [
    'ingest',
    fileOf(`Date,Amount,Currency,Description\n${lines.join('\n')}\n`),
    company,
    '--yes',
    '--json',
    '--connection',
    'giro',
  ];
  const first = finhook.start(...ingest);
  await expect.poll(first.stderr, { timeout: 30_000, interval: 5 }).toContain('500 of 3000 stored');
  first.child.kill('SIGINT');
  const { code, stdout, stderr } = await first.ended;
  expect(code).toBe(130);
  const interrupted = JSON.parse(stdout);
  expect(interrupted).toMatchObject({ exit_code: 130, messages: [{ code: 'interrupted' }] });
  expect(interrupted.stored).toBeGreaterThanOrEqual(500);
  expect(stderr).toMatch(/Ended after \d+ rows\. The same command continues.*\nInterrupted\.\n$/);
  const second = JSON.parse((await finhook.run(...ingest)).stdout);
  expect(second.stored + second.stored_before).toBe(3_000);
  expect(second.stored_before).toBeGreaterThanOrEqual(500);
});

test('a file with a count below zero is an error with its line, and stores nothing', async () => {
  const company = await createCompany();
  const path = fileOf(
    '01,A,B,260101,0000,1,80,1,2/\n02,B,A,1,260101,0000,USD,2/\n03,1,USD,010,100,0,D,-2.5/\n49,100,2/\n98,100,1,3/\n99,100,1,5/\n',
  );
  expect(await finhook.run('ingest', path, company, '--dry-run')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/can't be read\. Line 3, column 1: .*"-2\.5".*\n.*What to do:/),
  });
});

test('a file that is not read within the time given stores nothing, and says how to give more', async () => {
  const company = await createCompany();
  const ingest = ['ingest', camt, company, '--yes', '--read-timeout'];
  // No thread starts within a microsecond.
  expect(await finhook.run(...ingest, '0.000001')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/not read within .* s\.\n.*Nothing was stored.*--read-timeout/),
  });
  for (const wrong of ['0', '-1', 'x', '100000'])
    expect(await finhook.run(...ingest, wrong)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--read-timeout is not a number of seconds'),
    });
  expect(await rowsOf(company)).toEqual([]);
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends a command that reads a file', async (signal) => {
  const company = await createCompany();
  const lines = Array.from({ length: 150_000 }, (_, i) => `2026-03-01,${i + 1}.00,USD,Row ${i}`);
  const path = fileOf(`Date,Amount,Currency,Description\n${lines.join('\n')}\n`);
  const running = finhook.start('ingest', path, company, '--yes');
  await expect.poll(running.stderr, { timeout: 30_000, interval: 5 }).toContain(`Reading ${path}`);
  running.child.kill(signal);
  const { code, stdout, stderr } = await running.ended;
  expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
  expect(stderr).toMatch(/Interrupted\.\n$/);
  expect(stderr).not.toContain('The file is csv');
  expect(await rowsOf(company)).toEqual([]);
});

test('SIGTERM ends a command that waits for the rest of its standard input', async () => {
  const running = finhook.startOpen('ingest', '-', 'co_none', '--yes');
  // More than a pipe holds: it is read when the write returns.
  await new Promise((resolve) => running.child.stdin?.write('x'.repeat(1_000_000), resolve));
  running.child.kill('SIGTERM');
  expect(await running.ended).toEqual({ code: 130, stdout: '', stderr: 'Interrupted.\n' });
});
