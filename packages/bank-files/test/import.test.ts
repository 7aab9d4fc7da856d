// Risk: an import stores a row twice or loses one, stores despite an open question, or hides what it skipped.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Answers,
  answerQuestion,
  continueImport,
  type ImportRun,
  type Progress,
  planRequests,
  reportOf,
  skippedRowsCsv,
} from '../src/index.ts';
import { MemoryService, ServiceError } from './content-store.ts';
import { importFile as importAs, startImport as startAs } from './import-file.ts';
import { read } from './read.ts';

/** The file has no account by default. */
const importFile = (...[service, text, answers, more]: Parameters<typeof importAs>) =>
  importAs(service, text, { connection: 'giro', sign: 'in', ...answers }, more);
const startImport = (service: MemoryService, text: string) =>
  startAs(service, text, { connection: 'giro', sign: 'in' });

const header = 'Date,Amount,Currency,Description,Transaction ID\n';
const csv = (...rows: readonly string[]): string => `${header}${rows.join('\n')}\n`;
const contents = (service: MemoryService): string[] =>
  service.rows
    .map(({ posted_at, amount_cents, description }) => `${posted_at.slice(0, 10)} ${amount_cents} ${description}`)
    .sort();

describe('the set of rows', () => {
  const row = fc.record({
    day: fc.integer({ min: 1, max: 3 }),
    amount: fc.integer({ min: 1, max: 2 }),
    text: fc.constantFrom('a', 'b'),
    reference: fc.constantFrom('', '0', 'x'),
  });
  type Row = typeof row extends fc.Arbitrary<infer R> ? R : never;
  const lineOf = ({ day, amount, text, reference }: Row): string =>
    `2026-03-0${day},${amount}.00,EUR,${text},${reference}`;
  const order = fc.array(fc.nat(), { minLength: 12, maxLength: 12 });
  const shuffle = (rows: readonly Row[], keys: readonly number[]): Row[] =>
    rows
      .map((each, i) => ({ each, key: keys[i] ?? 0 }))
      .toSorted((a, b) => a.key - b.key)
      .map(({ each }) => each);
  const amountsOf = (service: MemoryService): string[] =>
    service.rows.map(({ posted_at, amount_cents }) => `${posted_at} ${amount_cents}`).sort();

  test('any order and repetition of a statement, any overlap by whole days, and rows with other ids are stored once', async () => {
    const rows = fc.array(row, { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(rows, order, fc.integer({ min: 1, max: 3 }), async (all, keys, day) => {
        const [once, often] = [new MemoryService(), new MemoryService()];
        await importFile(once, csv(...all.map(lineOf)));
        // Some of the rows came over the API or from an earlier version.
        for (const [i, stored] of once.rows.entries())
          if ((keys[i] ?? 0) % 2 === 0) often.rows.push({ ...stored, external_id: `other-${i}`, description: 'other' });
        const parts = [
          all.filter((each) => each.day <= day),
          shuffle(all, keys),
          all.filter((each) => each.day >= day),
        ];
        for (const part of parts) {
          if (part.length > 0) expect((await importFile(often, csv(...part.map(lineOf)))).report.exit_code).toBe(0);
        }
        expect(amountsOf(often)).toEqual(amountsOf(once));
        expect(once.rows).toHaveLength(all.length);
      }),
      { numRuns: 60 },
    );
  });

  test('rows that are stored with other ids are not stored again', async () => {
    const service = new MemoryService();
    const base = { posted_at: '2026-03-01T12:00:00.000Z', amount_cents: 100, currency: 'EUR', description: 'a' };
    service.rows.push({ ...base, id: 'txn_0', external_id: 'row-1234-1', connection_id: 'giro', source: 'api' });
    const { report } = await importFile(service, csv('2026-03-01,1.00,EUR,a,', '2026-03-01,1.00,EUR,a,'));
    expect(report).toMatchObject({ stored: 1, stored_before: 1, exit_code: 0, messages: [] });
  });

  test('a reference that is used again for other rows loses none of them', async () => {
    const service = new MemoryService();
    await importFile(
      service,
      csv('2026-03-01,-5.00,EUR,fee,7', '2026-03-01,-5.00,EUR,fee,7', '2026-03-02,-6.00,EUR,x,7'),
    );
    await importFile(service, csv('2026-04-01,-5.00,EUR,fee,7'));
    expect(contents(service)).toHaveLength(4);
  });
});

test('all rows of one day and amount are in one request, and a request has 500 rows at most', async () => {
  const twins = Array.from({ length: 300 }, (_, i) => `2026-03-0${(i % 2) + 1},1.00,EUR,Row ${i},`);
  const others = Array.from({ length: 700 }, (_, i) => `2026-03-01,${i + 2}.00,EUR,Other ${i},`);
  const rows = twins.flatMap((twin, i) => [
    twin,
    ...others.slice(i * 2, i * 2 + 2),
    ...(i < 100 ? [others[600 + i] ?? ''] : []),
  ]);
  const requests = planRequests(await read(csv(...rows), { connection: 'giro' }));
  const groups = requests.map((request) => (request.kind === 'transactions' ? request.rows : []));
  expect(groups.flat()).toHaveLength(1000);
  for (const group of groups) expect(group.length).toBeLessThanOrEqual(500);
  for (const day of ['2026-03-01', '2026-03-02']) {
    const holds = groups.filter((group) =>
      group.some((each) => each.posted_at.startsWith(day) && each.amount_cents === 100),
    );
    expect(holds).toHaveLength(1);
  }
});

test('more than 500 rows of one day and amount are rejected before anything is sent', async () => {
  const service = new MemoryService();
  const rows = Array.from({ length: 501 }, (_, i) => `2026-03-01,1.00,EUR,Row ${i},`);
  await expect(importFile(service, csv(...rows))).rejects.toThrow('Line 2, column 1: 501 rows of 2026-03-01');
  expect(service.calls).toEqual([]);
});

test('while a question is open, nothing is sent', async () => {
  const service = new MemoryService();
  const { report } = await importFile(service, csv('03/04/2026,1.00,EUR,a,'));
  expect(report).toMatchObject({ exit_code: 2, stored: 0, questions: [{ code: 'date_format' }] });
  expect(service.calls).toEqual([]);
});

test('rows that do not explain the balances end with 1, and with 0 once that is accepted', async () => {
  const service = new MemoryService();
  const text = 'Date,Amount,Currency,Balance\n2026-03-01,1.00,EUR,10.00\n2026-03-02,1.00,EUR,15.00\n';
  const rejected = await importFile(service, text);
  expect(rejected.report).toMatchObject({ exit_code: 1, messages: [{ code: 'totals', line: 3, level: 'warning' }] });
  expect(service.calls).toEqual([]);
  const accepted = await importFile(service, text, { accept_totals: true });
  expect(accepted.report).toMatchObject({ exit_code: 0, stored: 2, messages: [{ code: 'totals' }] });
  expect(service.balances.size).toBe(0);
});

test('rows that are probably known are listed, and stored once if they are to be kept', async () => {
  const service = new MemoryService();
  await importFile(service, csv('2026-03-01,1.00,EUR,coffee,'));
  const later = csv('2026-03-01,1.00,EUR,cinema,');
  const listed = await importFile(service, later);
  expect(listed.report).toMatchObject({ exit_code: 0, stored: 0, stored_before: 1, probably_known: 1 });
  expect(listed.report.messages).toMatchObject([
    { code: 'probably_known', line: 2, message: expect.stringContaining('txn_1') },
  ]);
  expect(skippedRowsCsv([], listed.outcomes)).toMatch(/^line,reason.*\r\n2,it is probably txn_1,.*cinema\r\n$/);
  for (const stored of [1, 0]) {
    const kept = await importFile(service, later, { keep_similar: true });
    expect(kept.checked).toMatchObject({ stored });
    expect(kept.report).toMatchObject({ exit_code: 0, stored, probably_known: 0 });
  }
  expect(contents(service)).toEqual(['2026-03-01 100 cinema', '2026-03-01 100 coffee']);
});

test('rows and balances that the service rejects are listed with their lines, and stop nothing', async () => {
  const service = new MemoryService();
  const ofx = (row: string, asOf: string): string =>
    `<OFX><STMTRS><CURDEF>EUR\n<BANKACCTFROM><ACCTID>7</BANKACCTFROM>\n<STMTTRN><DTPOSTED>20260301<TRNAMT>1.00</STMTTRN>\n` +
    `<STMTTRN><DTPOSTED>${row}<TRNAMT>2.00</STMTTRN>\n<LEDGERBAL><BALAMT>3.00<DTASOF>${asOf}</LEDGERBAL></STMTRS></OFX>`;
  const { report, outcomes } = await importFile(service, ofx('19600101', '29991231'));
  expect(report).toMatchObject({ exit_code: 1, stored: 1, skipped: 1, balances_skipped: 1 });
  expect(report.messages).toMatchObject([
    { level: 'loss', code: 'row', line: 4, message: 'the row is left out: posted_at is too early' },
    { level: 'loss', code: 'balance', line: 5, message: 'the balance is left out: as_of must lie before 2100' },
  ]);
  expect(skippedRowsCsv([], outcomes)).toContain('\r\n4,posted_at is too early,');
});

test.each([403, 409, 422])(
  'a balance that the service rejects with %i is left out, and the rows are stored',
  async (status) => {
    const service = new MemoryService();
    service.upsert = () => Promise.reject(new ServiceError({ status, reason: 'no' }));
    const text = 'Date,Amount,Currency,Balance\n2026-03-01,1.00,EUR,10.00\n';
    const { report } = await importFile(service, text);
    expect(report).toMatchObject({ exit_code: 1, stored: 1, balances_skipped: 1 });
    expect(report.messages).toMatchObject([{ level: 'loss', code: 'balance', message: 'the balance is left out: no' }]);
  },
);

test('a balance that another amount had is listed, and one that only gets the type of its account is not', async () => {
  const service = new MemoryService();
  const card = (amount: string): string =>
    `<OFX><CCSTMTRS><CURDEF>USD<CCACCTFROM><ACCTID>4111</CCACCTFROM>\n<LEDGERBAL><BALAMT>${amount}<DTASOF>20260930</LEDGERBAL></CCSTMTRS></OFX>`;
  const store = async (amount: string) => (await importFile(service, card(amount), { connection: {} })).report;
  const cash = { as_of: '2026-09-30', balance_cents: -29_500, currency: 'USD', source: 'file:ofx' };
  await service.upsert({ company_id: 'co_1', ...cash, connection_id: '4111' });
  expect(await store('-295.00')).toMatchObject({ balances_stored: 1, messages: [] });
  expect([...service.balances.values()]).toMatchObject([{ balance_cents: -29_500, account_type: 'credit_card' }]);
  expect(await store('-295.00')).toMatchObject({ balances_before: 1, messages: [] });
  expect(await store('-300.00')).toMatchObject({
    balances_stored: 1,
    messages: [{ code: 'balance_replaced', message: 'the balance of 2026-09-30, -$300.00, replaces -$295.00' }],
  });
});

test('an import ends with another error of a balance', async () => {
  const service = new MemoryService();
  service.upsert = () => Promise.reject(new ServiceError({ status: 401, message: 'no key' }));
  await expect(importFile(service, 'Date,Amount,Currency,Balance\n2026-03-01,1.00,EUR,10.00\n')).rejects.toThrow(
    'no key',
  );
});

test('rows that an import with another mapping stored are listed when the file is imported as it is meant', async () => {
  const service = new MemoryService();
  const text = csv('2026-03-04,-5.00,EUR,a,', '2026-03-05,-6.00,EUR,b,', '2026-03-05,-7.00,EUR,c,');
  await importFile(service, text, { csv: { inverted: true } });
  const posted = {
    posted_at: '2026-03-05T08:00:00.000Z',
    amount_cents: -1,
    currency: 'EUR',
    description: 'of the API',
  };
  service.rows.push({ ...posted, id: 'txn_9', connection_id: 'giro', source: 'books' });
  const { report } = await importFile(service, text);
  expect(report).toMatchObject({ exit_code: 0, stored: 3 });
  expect(report.messages.map(({ code, message }) => `${code} ${/txn_\d/.exec(message)?.[0]}`)).toEqual([
    'not_in_file txn_1',
    'not_in_file txn_2',
    'not_in_file txn_3',
  ]);
  // A part of the days is no correction.
  expect((await importFile(service, csv('2026-03-04,-5.00,EUR,a,'))).report.messages).toEqual([]);
});

test('rows of another mapping are listed also if a call of the dry run was repeated', async () => {
  const service = new MemoryService();
  await importFile(service, csv('2026-03-04,5.00,EUR,a,', '2026-03-04,5.00,EUR,b,'));
  const faults = [{ isTemporary: true }];
  service.onCall = () => {
    const fault = faults.shift();
    if (fault) throw new ServiceError(fault);
  };
  const { report } = await importFile(service, csv('2026-03-04,5.00,EUR,a,', '2026-03-04,7.00,EUR,b,'));
  expect(report.messages.map(({ code }) => code)).toEqual(['not_in_file']);
});

test('equal messages about rows on the same line of two files in an archive are two', async () => {
  const service = new MemoryService();
  const { outcomes } = await importFile(service, csv('2026-03-04,5.00,EUR,a,', '2026-03-04,7.00,EUR,b,'));
  const { accounts } = await read(csv('2026-03-04,5.00,EUR,a,', '2026-03-04,7.00,EUR,b,'), { connection: 'giro' });
  const rejected = accounts.flatMap(({ transactions }) =>
    transactions.map((row) => ({ row: { ...row, line: 5 }, reason: 'posted_at is too early' })),
  );
  const changed = outcomes.map((outcome) =>
    outcome.kind === 'balance' ? outcome : { ...outcome, rejected, failed: rejected.length },
  );
  const { messages, skipped } = reportOf({ problems: [], questions: [] }, changed);
  expect([messages.map(({ line }) => line), skipped]).toEqual([[5, 5], 2]);
});

test('a report of what is stored has the totals of its dry run', async () => {
  const { checked, report } = await importFile(
    new MemoryService(),
    csv('2026-03-04,5.00,EUR,a,', '2026-03-04,-7.00,EUR,b,'),
  );
  expect(checked.totals).toEqual([{ currency: 'EUR', in: '500', out: '700' }]);
  expect(report.totals).toEqual(checked.totals);
});

describe('currencies', () => {
  const text = (...currencies: string[]): string =>
    `Date,Amount,Currency,Description,Account\n${currencies.map((each) => `2026-03-01,1.00,${each},a,7`).join('\n')}\n`;
  const placed = (service: MemoryService): string[] =>
    service.rows.map((row) => `${row.currency} ${row.connection_id}`);

  test('the currency that the service has keeps the bare number', async () => {
    const service = new MemoryService();
    await importFile(service, text('USD'), { connection: {} });
    await importFile(service, text('EUR', 'USD'), { connection: {} });
    expect(placed(service)).toEqual(['USD 7', 'EUR 7 EUR']);
  });

  test('rows that are stored under the account as the bank writes it are found there', async () => {
    const service = new MemoryService();
    const iban = 'DE89 3704 0044 0532 0130 00';
    const file = `Date,Amount,Currency,Description,Account\n2026-03-01,1.00,EUR,a,${iban}\n`;
    const row = { posted_at: '2026-03-01T12:00:00.000Z', amount_cents: 100, currency: 'EUR', description: 'a' };
    service.rows.push({ ...row, source: 'file:csv', id: 'old', connection_id: iban });
    await importFile(service, file, { connection: {} });
    expect(service.rows).toHaveLength(1);
  });

  test('a file in another currency asks, and the answer decides', async () => {
    const service = new MemoryService();
    await importFile(service, text('USD'), { connection: {} });
    const asked = await importFile(service, text('EUR'), { connection: {} });
    expect(asked.report).toMatchObject({ exit_code: 2, questions: [{ code: 'currency_connection' }] });
    expect(placed(service)).toEqual(['USD 7']);
    expect((await importFile(service, text('EUR'), { connection: { '7/EUR': '7 EUR' } })).report.exit_code).toBe(0);
    expect(placed(service)).toEqual(['USD 7', 'EUR 7 EUR']);
    const forced = await importFile(service, text('CHF'), { connection: { '7/CHF': '7' } });
    expect(forced.report).toMatchObject({
      exit_code: 0,
      messages: [{ code: 'currency_changed', line: 2 }, { code: 'not_in_file' }],
    });
  });

  test.each<[string, NonNullable<Answers['connection']>, string]>([
    ['the connection of the account is answered too', { '7': 'giro', '7/USD': 'dollars' }, 'giro'],
    ['nothing else is answered: the number', { '7/USD': 'dollars' }, '7'],
  ])('a second currency in a file of its own is looked for in the old connection: %s', async (_, connection, old) => {
    const service = new MemoryService();
    const base = { posted_at: '2026-03-01T12:00:00.000Z', amount_cents: 100, description: 'a', source: 'file:csv' };
    for (const currency of ['USD', 'EUR']) service.rows.push({ ...base, currency, id: currency, connection_id: old });
    const { report } = await importFile(service, text('USD'), { connection });
    expect(report).toMatchObject({ exit_code: 0, stored: 0, messages: [{ code: 'other_connection' }] });
    expect(service.rows).toHaveLength(2);
  });

  test('an answer to the question about the currency keeps the connection that was given', async () => {
    const service = new MemoryService();
    await importFile(service, text('EUR'), { connection: 'giro' });
    const { file } = await importFile(service, text('USD'), { connection: 'giro' });
    const [question] = file.questions;
    if (!question) throw new Error('nothing was asked');
    const answers = answerQuestion({ connection: 'giro' }, question, 'dollars');
    expect(answers.connection).toEqual({ '7': 'giro', '7/USD': 'dollars' });
    expect((await importFile(service, text('USD'), answers)).report).toMatchObject({ exit_code: 0, stored: 1 });
  });

  test('rows that an earlier version stored under the bare number stay there', async () => {
    const service = new MemoryService();
    const base = { posted_at: '2026-03-01T12:00:00.000Z', amount_cents: 100, description: 'a', source: 'file:csv' };
    for (const currency of ['USD', 'EUR']) service.rows.push({ ...base, currency, id: currency, connection_id: '7' });
    const { report } = await importFile(service, text('EUR', 'USD'), { connection: {} });
    expect(report).toMatchObject({
      exit_code: 0,
      stored: 0,
      stored_before: 2,
      messages: [{ code: 'other_connection' }],
    });
    expect(service.rows).toHaveLength(2);
  });
});

describe('the service fails', () => {
  const many = csv(...Array.from({ length: 1200 }, (_, i) => `2026-03-01,${i + 1}.00,EUR,Row ${i},`));

  test('a limit and a failure that pass are waited for', async () => {
    const service = new MemoryService();
    const faults = [{ isTemporary: true, waitMs: 7_000 }, { isTemporary: true }];
    const said: unknown[] = [];
    service.onCall = () => {
      const fault = faults.shift();
      if (fault) throw new ServiceError(fault);
    };
    const onRetry: ImportRun['onRetry'] = (fault) => said.push(fault?.message);
    const { report, waits } = await importFile(service, many, {}, { onRetry });
    expect([waits, said]).toEqual([
      [7_000, 2_000],
      ['failed', undefined],
    ]);
    expect(report).toMatchObject({ stored: 1200, exit_code: 0 });
  });

  test('a failure that does not pass ends the import, which continues after the requests that are stored', async () => {
    const service = new MemoryService();
    const { run, check, waits } = startImport(service, many);
    const { file, outcomes: checked } = await check();
    const progress: Progress = { count: file.requests, checked, outcomes: [] };
    let calls = 0;
    service.onCall = () => {
      if (++calls > 1) throw new ServiceError({ isTemporary: true });
    };
    await expect(continueImport(run, progress)).rejects.toThrow('failed');
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(120_000);
    expect([progress.outcomes.length, service.rows.length]).toEqual([1, 500]);
    service.onCall = () => undefined;
    await continueImport(run, progress);
    expect(reportOf(file, progress.outcomes)).toMatchObject({ stored: 1200 });
    expect(service.rows).toHaveLength(1200);
    expect(new Set(service.calls.flatMap(({ key }) => key ?? [])).size).toBe(3);
  });

  test('an import that is left stops before the next request', async () => {
    const service = new MemoryService();
    const leave = new AbortController();
    service.onCall = () => leave.abort(new Error('left'));
    await expect(importFile(service, many, {}, { signal: leave.signal })).rejects.toThrow('left');
    expect(service.calls).toHaveLength(1);
  });
});

test('what is stored already is not sent again, and a key without the permission leaves the balances out', async () => {
  const service = new MemoryService();
  const text = 'Date,Amount,Currency,Balance\n2026-03-01,1.00,EUR,10.00\n';
  const first = await importFile(service, text, {}, { withoutBalances: true });
  expect(first.report).toMatchObject({ stored: 1, balances_stored: 0, messages: [{ code: 'balance', level: 'note' }] });
  expect((await importFile(service, text)).report).toMatchObject({ stored: 0, stored_before: 1, balances_stored: 1 });
  service.calls.length = 0;
  const again = await importFile(service, text);
  expect(again.report).toMatchObject({ stored: 0, stored_before: 1, balances_before: 1, exit_code: 0, messages: [] });
  expect(service.calls.filter(({ isDryRun }) => !isDryRun)).toEqual([]);
});
