// Risk: a bank file is stored twice, partly, or with wrong values, silently.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { useFinhook } from './use-finhook.ts';

const finhook = useFinhook();
const { createCompany, fileOf, json, run } = finhook;
const camt = fileURLToPath(
  new URL('../../../../packages/bank-files/test/samples/camt/camt053.v2.multi.statement.xml', import.meta.url),
);
const header = 'Date,Amount,Currency,Description';

const rowsOf = (company: string) => finhook.all('bank', 'transactions', 'list', company);
const saying = (code: number, text: string | RegExp) => ({
  code,
  stderr: typeof text === 'string' ? expect.stringContaining(text) : expect.stringMatching(text),
});

test('a CAMT.053 file is shown, stored with its balances, and found stored the next time', async () => {
  const company = await createCompany('--timezone', 'America/New_York');
  const ingest = ['ingest', camt, company, '--yes', '--json'];
  const first = await run(...ingest);
  expect(first).toMatchObject(saying(0, /camt\.053[^]*America\/New_York[^]*NL26VAYB8060476890[^]*€[^]*2 rows: 2 new/));
  const result = { format: 'camt.053', dry_run: false, rows: 2, skipped: 0, skipped_file: null };
  expect(JSON.parse(first.stdout)).toMatchObject({ ...result, stored: 2, stored_before: 0, balances_before: 0 });
  const rows = await rowsOf(company);
  expect(rows.map(({ amount_cents, posted_at }) => [amount_cents, posted_at])).toEqual(
    expect.arrayContaining([[expect.any(Number), expect.stringContaining('T17:00:00')]]),
  );
  const events = () => finhook.all('events', 'list', '--company-id', company);
  const before = await events();
  expect(await json(...ingest)).toMatchObject({ ...result, stored: 0, stored_before: 2, balances_stored: 0 });
  // A repetition without changes emits no events.
  expect(await events()).toEqual(before);
  expect(await rowsOf(company)).toEqual(rows);
});

test('the balance of a card statement is stored as owed, and is no cash', async () => {
  const company = await createCompany();
  const path = fileURLToPath(
    new URL('../../../../packages/bank-files/test/inputs/files/ofx-bank-and-card.qfx', import.meta.url),
  );
  expect(await run('ingest', path, company, '--yes', '--json')).toMatchObject(saying(0, 'credit_card'));
  expect(await json('cash', 'on-hand', company)).toMatchObject({
    headline: { balance_cents: 120_000 },
    excluded: [{ connection_id: '4111', reason: 'credit_card', owed_cents: 29_500 }],
  });
});

test('columns of a CSV file are mapped by flags, saved by name, and used only for a file that names the mapping', async () => {
  const company = await createCompany();
  const columns = 'Wann;Wieviel;Wofür\n';
  const path = fileOf(`${columns}03.04.2026;-1.200,50;Miete\n`);
  const ingest = (file: string, ...flags: string[]) => run('ingest', file, company, '--yes', ...flags);
  expect(await ingest(path)).toEqual({ stdout: '', ...saying(2, /Which column has the date\?.*--map/) });
  const map = ['--map', 'date=Wann', '--map', 'amount=Wieviel', '--map', 'description=Wofür'];
  const wrong = await ingest(path, ...map, '--map', 'category=Art');
  expect(wrong).toMatchObject(saying(2, 'The file has: Wann, Wieviel, Wofür'));
  const named = ['--mapping', 'house-bank', '--connection', 'giro'];
  expect(await ingest(path, ...map, '--currency', 'EUR', ...named)).toMatchObject({ code: 0 });
  expect(statSync(join(finhook.folder, 'csv-mappings.json')).mode & 0o777).toBe(0o600);
  const next = fileOf(`${columns}05.04.2026;-1,00;Zins\n`);
  expect(await ingest(next, '--connection', 'giro')).toMatchObject(saying(2, '--mapping house-bank uses it'));
  const silent = await ingest(next, '--connection', 'giro', '--no-mapping');
  expect(silent.stderr).not.toContain('house-bank');
  // The file has neither column names nor a currency.
  expect(await ingest(next, ...named)).toMatchObject(saying(0, 'the saved mapping house-bank'));
  expect(await rowsOf(company)).toMatchObject([
    { amount_cents: -100, currency: 'EUR', description: 'Zins', posted_at: '2026-04-05T12:00:00.000Z' },
    { amount_cents: -120_050, currency: 'EUR', description: 'Miete', posted_at: '2026-04-03T12:00:00.000Z' },
  ]);
});

test('rows that cannot be stored are listed in a file, and the others are stored', async () => {
  const company = await createCompany();
  const path = fileOf(`${header}\n2026-03-01,-1.00,USD,=A1\n2026-03-02,x,USD,y\n2026-03-03,2.00,USD,z\n`);
  const ingest = ['ingest', path, company, '--connection', 'giro'];
  const dry = await run(...ingest, '--dry-run', '--json');
  expect(dry.code).toBe(1);
  expect(JSON.parse(dry.stdout)).toMatchObject({ dry_run: true, rows: 3, stored: 2, skipped: 1, skipped_file: null });
  expect(await rowsOf(company)).toEqual([]);
  const stored = await run(...ingest, '--yes');
  expect(stored).toMatchObject(saying(1, `1 row skipped, listed in ${path}.skipped.csv`));
  const skipped = /^line,reason,.*\r\n3,"the row is left out: ""x"" is not an amount",,,,,\r\n$/;
  expect(readFileSync(`${path}.skipped.csv`, 'utf8')).toMatch(skipped);
  expect(await rowsOf(company)).toHaveLength(2);
  // The same rows with another label are known and unchanged.
  const again = await run(...ingest, '--yes', '--source', 'other', '--skipped', `${path}.other`, '--json');
  expect(again.code).toBe(1);
  expect(JSON.parse(again.stdout)).toMatchObject({ stored: 0, stored_before: 2, skipped: 1 });
  expect(readFileSync(`${path}.other`, 'utf8')).toMatch(skipped);
  expect(await rowsOf(company)).toHaveLength(2);
});

test('a question is an error with its flag and exit code 2, and is in the JSON', async () => {
  const company = await createCompany();
  const ingest = ['ingest', fileOf('Date,Amount,Description\n03/04/2026,-1.00,a\n'), company, '--yes'];
  const asked = await run(...ingest, '--json');
  expect(asked).toMatchObject(saying(2, /DD\/MM\/YYYY or MM\/DD\/YYYY.*\(--date-format/));
  const { questions, exit_code } = JSON.parse(asked.stdout);
  expect(exit_code).toBe(2);
  expect(questions.map(({ code }: { code: string }) => code).sort()).toEqual(['account', 'currency', 'date_format']);
  expect(await rowsOf(company)).toEqual([]);
  const flags = ['--date-format', 'DD/MM/YYYY', '--currency', 'EUR', '--connection', 'giro'];
  expect(await run(...ingest, ...flags)).toMatchObject({ code: 0 });
  expect(await rowsOf(company)).toMatchObject([{ posted_at: '2026-04-03T12:00:00.000Z', connection_id: 'giro' }]);
});

test('rows that do not explain the balances are stored only with --accept-totals', async () => {
  const company = await createCompany();
  const path = fileOf(`${header},Balance\n2026-03-01,-1.00,EUR,a,99.00\n2026-03-02,-1.00,EUR,b,90.00\n`);
  const ingest = ['ingest', path, company, '--yes', '--json', '--connection', 'giro'];
  const rejected = await run(...ingest);
  expect(rejected).toMatchObject(saying(1, '--accept-totals'));
  const message = { level: 'warning', code: 'totals', line: 3 };
  expect(JSON.parse(rejected.stdout)).toMatchObject({ stored: 0, exit_code: 1, messages: [message] });
  expect(await rowsOf(company)).toEqual([]);
  expect(await run(...ingest, '--accept-totals', '--no-accept-totals')).toMatchObject({ code: 1 });
  const accepted = { exit_code: 0, stored: 2, balances_stored: 0, messages: [message] };
  expect(await json(...ingest, '--accept-totals')).toMatchObject(accepted);
});

test('two currencies of an account have connections of their own, and another currency than the stored one is asked', async () => {
  const company = await createCompany();
  const ingest = (...currencies: string[]) => {
    const rows = currencies.map((each) => `2026-03-01,-5.00,${each},a,77\n`);
    return run('ingest', fileOf(`${header},Account\n${rows.join('')}`), company, '--yes');
  };
  expect(await ingest('USD')).toMatchObject({ code: 0 });
  expect(await ingest('EUR')).toMatchObject(saying(2, '--connection 77/EUR=ID'));
  expect(await ingest('EUR', 'USD')).toMatchObject({ code: 0 });
  const rows = (await rowsOf(company)).map(({ currency, connection_id }) => [currency, connection_id]);
  expect(rows.toSorted()).toEqual([
    ['EUR', '77 EUR'],
    ['USD', '77'],
  ]);
});

test('an entry that is not booked is left out with a note, and is no skipped row', async () => {
  const text = readFileSync(camt, 'utf8').replaceAll(/<Bal>[^]*?<\/Bal>/g, '');
  const path = fileOf(text.replace('<Sts>BOOK</Sts>', '<Sts>PDNG</Sts>'));
  const { stdout, ...said } = await run('ingest', path, await createCompany(), '--yes', '--json');
  expect(said).toEqual(saying(0, /^Note: line \d+: .*PDNG[^]*^1 row: 1 new/m));
  expect(JSON.parse(stdout)).toMatchObject({ rows: 1, stored: 1, skipped: 0, skipped_file: null });
});

test('a column that is given answers no other question, and the amount has one column or two', async () => {
  const company = await createCompany();
  const open = fileOf(
    'Date,Rate,Worth,Fees2,What,IBAN\n2026-04-03,1.10,-5.00,0.1,a,DE1\n2026-04-04,1.20,-6.00,0.2,b,DE2\n',
  );
  const asks = async (...flags: string[]) => {
    const { code, stdout } = await run('ingest', open, company, '--yes', '--json', '--currency', 'EUR', ...flags);
    const { questions } = JSON.parse(stdout);
    return [code, questions.map(({ about }: { about: string }) => about).sort()];
  };
  expect(await asks('--map', 'description=What')).toEqual([2, ['account', 'amount']]);
  const rest = ['--map', 'amount=Worth', '--map', 'account=', '--connection', 'giro'];
  expect(await asks('--map', 'description=What', ...rest)).toEqual([0, []]);
  expect((await rowsOf(company)).map(({ amount_cents }) => amount_cents).sort()).toEqual([-500, -600]);
  const sides = fileOf('Date,Text,Betrag,X,Y\n2026-04-05,c,1.00,7.00,\n2026-04-06,d,1.00,,8.00\n');
  const two = ['--map', 'debit=X', '--map', 'credit=Y', '--currency', 'EUR', '--connection', 'giro'];
  expect(await run('ingest', sides, company, '--yes', ...two)).toMatchObject({ code: 0 });
  expect((await rowsOf(company)).map(({ amount_cents }) => amount_cents).sort()).toEqual([-500, -600, -700, 800]);
});

test('a saved mapping keeps its row of column names when it is used and saved again', async () => {
  const company = await createCompany();
  const path = fileOf('Bank;Konto;Blatt\nWann;Wieviel;Wofür\n03.04.2026;-1.200,50;Miete\n');
  const ingest = ['ingest', path, company, '--yes', '--mapping', 'with-title', '--connection', 'giro'];
  const columns = ['--map', 'date=Wann', '--map', 'amount=Wieviel', '--map', 'description=Wofür'];
  for (const flags of [['--header-line', '2', ...columns, '--currency', 'EUR'], [], []])
    expect(await run(...ingest, ...flags)).toMatchObject(saying(0, 'row 2 has their names'));
});

test('stdin is read, and each account gets its connection', async () => {
  const company = await createCompany();
  const flags = ['--company-id', company, '--yes', '--connection'];
  const input = readFileSync(camt, 'utf8');
  const ingest = (connection: string) => finhook.runWith({ input }, 'ingest', '-', ...flags, connection);
  expect(await ingest('NL00=other')).toMatchObject(saying(2, 'only NL26VAYB8060476890'));
  expect(await ingest('NL26VAYB8060476890=operating')).toMatchObject({ code: 0 });
  const connection_id = 'operating';
  expect(await rowsOf(company)).toMatchObject([{ connection_id }, { connection_id }]);
});

test('nothing is stored without a terminal or --yes, or of a file that cannot be read', async () => {
  const company = await createCompany();
  expect(await run('ingest', camt, company)).toMatchObject(saying(2, '--yes'));
  const cut = fileOf(readFileSync(camt, 'utf8').slice(0, 4000));
  expect(await run('ingest', cut, company, '--yes')).toEqual({
    stdout: '',
    ...saying(1, /can't be read\. Line \d+, column \d+: [^]*What to do: Nothing was stored/),
  });
  const unreadable = { exit_code: 1, stored: 0, messages: [{ code: 'unreadable' }] };
  expect(await json('ingest', cut, company, '--yes')).toMatchObject(unreadable);
  const bai2 = ['01,A,B,260101,0000,1,80,1,2/', '02,B,A,1,260101,0000,USD,2/', '03,1,USD,010,100,0,D,-2.5/'];
  const negative = fileOf([...bai2, '49,100,2/', '98,100,1,3/', '99,100,1,5/', ''].join('\n'));
  expect(await run('ingest', negative, company, '--dry-run')).toEqual({
    stdout: '',
    ...saying(1, /can't be read\. Line 3, column 1: .*"-2\.5".*\n.*What to do:/),
  });
  expect(await run('ingest', `${cut}.none`, company)).toMatchObject(saying(2, "can't be read"));
  expect(await run('ingest', camt, 'co_none', '--yes')).toMatchObject({ code: 1 });
  expect(await rowsOf(company)).toEqual([]);
  expect(existsSync(`${cut}.skipped.csv`)).toBe(false);
});

test('a key that may only push names the time zone, which it cannot read', async () => {
  const company = await createCompany();
  const env = { FINHOOK_API_KEY: await finhook.createKey('--scope', 'ingest', '--company-ids', company) };
  const ingest = (...flags: string[]) => finhook.runWith({ env }, 'ingest', camt, company, '--yes', ...flags);
  expect(await ingest()).toMatchObject(saying(2, '--time-zone'));
  expect(await ingest('--time-zone', 'Mars/Base')).toMatchObject({ code: 2 });
  expect(await ingest('--time-zone', 'Europe/Berlin')).toMatchObject(saying(0, '2 rows: 2 new'));
  expect(await rowsOf(company)).toHaveLength(2);
});

test('after Ctrl-C in the middle of a file the same command continues', { timeout: 60_000 }, async () => {
  const company = await createCompany();
  const lines = Array.from({ length: 3_000 }, (_, i) => `2026-03-01,-${i + 1}.00,USD,Row ${i}\n`);
  const path = fileOf(`${header}\n${lines.join('')}`);
  const ingest = ['ingest', path, company, '--yes', '--json', '--connection', 'giro'];
  const first = finhook.start(...ingest);
  await expect.poll(first.stderr, { timeout: 30_000, interval: 5 }).toContain('500 of 3000 stored');
  first.child.kill('SIGINT');
  const { code, stdout, stderr } = await first.ended;
  expect(code).toBe(130);
  const interrupted = JSON.parse(stdout);
  expect(interrupted).toMatchObject({ exit_code: 130, messages: [{ code: 'interrupted' }] });
  expect(interrupted.stored).toBeGreaterThanOrEqual(500);
  expect(stderr).toMatch(/Ended after \d+ rows\. The same command continues.*\nInterrupted\.\n$/);
  const { stored, stored_before } = await json(...ingest);
  expect(Number(stored) + Number(stored_before)).toBe(3_000);
  expect(stored_before).toBeGreaterThanOrEqual(500);
});

test('a file that is not read within the time given stores nothing, and says how to give more', async () => {
  const company = await createCompany();
  const ingest = (seconds: string) => run('ingest', camt, company, '--yes', '--read-timeout', seconds);
  // No thread starts within a microsecond.
  const late = /not read within .* s\.\n.*Nothing was stored.*--read-timeout/;
  expect(await ingest('0.000001')).toEqual({ stdout: '', ...saying(1, late) });
  for (const wrong of ['0', '-1', 'x', '100000'])
    expect(await ingest(wrong)).toMatchObject(saying(2, '--read-timeout is not a number of seconds'));
  expect(await rowsOf(company)).toEqual([]);
});

test('a signal ends a command that reads a file', async () => {
  const company = await createCompany();
  const lines = Array.from({ length: 150_000 }, (_, i) => `2026-03-01,${i + 1}.00,USD,Row ${i}\n`);
  const path = fileOf(`${header}\n${lines.join('')}`);
  const running = finhook.start('ingest', path, company, '--yes');
  await expect.poll(running.stderr, { timeout: 30_000, interval: 5 }).toContain(`Reading ${path}`);
  running.child.kill('SIGTERM');
  const ended = await running.ended;
  expect(ended).toEqual({ stdout: '', ...saying(130, /Interrupted\.\n$/) });
  expect(ended.stderr).not.toContain('The file is csv');
  expect(await rowsOf(company)).toEqual([]);
});

test('a signal ends a command that waits for the rest of its standard input', async () => {
  const running = finhook.start('ingest', '-', 'co_none', '--yes');
  // More than a pipe holds: the write returns after it was read.
  await new Promise((resolve) => running.child.stdin?.write('x'.repeat(1_000_000), resolve));
  running.child.kill('SIGTERM');
  expect(await running.ended).toEqual({ code: 130, stdout: '', stderr: 'Interrupted.\n' });
});
