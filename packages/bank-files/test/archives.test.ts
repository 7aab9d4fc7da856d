// Risk: an archive hides a statement, fills the memory, or is imported although damaged.
import { expect, test } from 'vitest';
import { planRequests, skippedRowsCsv } from '../src/index.ts';
import { MemoryService, ServiceError } from './content-store.ts';
import { importFile } from './import-file.ts';
import { makeZip, type ZipFile } from './make-zip.ts';
import { read } from './read.ts';

const statement = (account: string, amount: string): string =>
  `:20:X\n:25:${account}\n:60F:C260901EUR1,\n:61:2609010901C${amount},NTRF\n:86:A\n:62F:C260901EUR${Number(amount) + 1},\n-\n`;
const file = (name: string, more: Partial<ZipFile> = {}): ZipFile => ({ name, content: statement(name, '5'), ...more });

test('the files of an archive are read, packed or not, and what systems put into it is not', async () => {
  const zip = makeZip([
    { name: 'statements/', content: '', isStored: true },
    file('a.sta'),
    file('b.sta', { isStored: true }),
    file('__MACOSX/._a.sta'),
    file('.DS_Store'),
  ]);
  const { accounts, problems } = await read(zip);
  expect(accounts.map(({ account, transactions }) => [account, transactions.length])).toEqual([
    ['a.sta', 1],
    ['b.sta', 1],
  ]);
  expect(problems).toEqual([]);
});

test('a PDF document beside a statement is left out with a note', async () => {
  const pdf = { name: 'a.pdf', content: '%PDF-1.7' };
  for (const files of [
    [file('a.sta'), pdf],
    [pdf, file('a.sta')],
  ]) {
    const { accounts, problems } = await read(makeZip(files));
    expect(accounts).toMatchObject([{ account: 'a.sta', transactions: [{}] }]);
    expect(problems).toMatchObject([{ code: 'note', file: 'a.pdf' }]);
  }
});

test('a problem names its file', async () => {
  const bad = statement('7', '5').replace(':62F:C260901EUR6,', ':62F:C260901EUR7,');
  const { problems } = await read(makeZip([file('a.sta'), { name: 'b.sta', content: bad }]));
  expect(problems).toMatchObject([{ code: 'totals', file: 'b.sta', line: 1 }]);
});

test('messages of the service about rows and balances name the file, and so does the list of skipped rows', async () => {
  const late = statement('7', '5').replaceAll('260901', '780901').replace('0901C5', 'C5');
  const zip = makeZip([file('a.sta'), { name: 'b.sta', content: late }]);
  const service = new MemoryService();
  const { upsert } = service;
  service.upsert = (input) =>
    input.as_of < '2078'
      ? upsert(input)
      : Promise.reject(new ServiceError({ status: 422, reason: 'as_of is too late' }));
  const { report, outcomes } = await importFile(service, zip);
  expect(report.messages).toMatchObject([
    { code: 'row', file: 'b.sta', line: 4 },
    { code: 'balance', file: 'b.sta', line: 6 },
  ]);
  expect(skippedRowsCsv([], outcomes)).toMatch(/^file,line,reason,.*\r\nb\.sta,4,posted_at is too early,/);
});

test('an archive with too many equal rows names the file', async () => {
  const rows = Array.from({ length: 501 }, (_, i) => `2026-03-01,1.00,EUR,Row ${i}`).join('\n');
  const zip = makeZip([{ name: 'a.csv', content: `Date,Amount,Currency,Description\n${rows}\n` }]);
  const found = await read(zip, { connection: 'giro', sign: 'in' });
  expect(() => planRequests(found)).toThrow('Line 2, column 1 of "a.csv" in the ZIP archive: 501 rows');
});

const cut = makeZip([file('a.sta')]);
const changed = makeZip([file('a.sta', { isStored: true })]).map((byte, i) => (i === 60 ? byte ^ 1 : byte));
const packed = makeZip([file('a.sta')]).map((byte, i) => (i === 40 ? 0xff : byte));

test.each<[string, Uint8Array<ArrayBuffer>, string]>([
  ['another archive in it', makeZip([{ name: 'b.zip', content: cut }]), '"b.zip": unpack it first'],
  ['an encrypted file', makeZip([file('a.sta', { isEncrypted: true })]), '"a.sta" in the ZIP archive is encrypted'],
  [
    'only a PDF document in it',
    makeZip([{ name: 'a.pdf', content: '%PDF-1.7' }]),
    '"a.pdf" in the ZIP archive: the file is a PDF',
  ],
  [
    'a file that can not be read',
    makeZip([{ name: 'a.sta', content: ':20:X\n:25:1\n' }]),
    'Line 1, column 1 of "a.sta" in the ZIP archive: the statement has no closing',
  ],
  ['no file', makeZip([{ name: 'a/', content: '' }]), 'has no file'],
  ['101 files', makeZip(Array.from({ length: 101 }, (_, i) => file(`${i}.sta`))), 'has 101 files; at most 100'],
  ['no end', cut.slice(0, -20), 'cut or damaged'],
  ['a changed byte', changed, 'cut or damaged at "a.sta"'],
  ['a changed packed byte', packed, 'cut or damaged at "a.sta"'],
  ['a workbook', makeZip([{ name: 'xl/workbook.xml', content: '<x/>' }]), 'an XLSX workbook'],
  ['another office document', makeZip([{ name: 'mimetype', content: 'x' }]), 'an office document'],
])('an archive with %s is rejected', async (_, zip, message) => {
  await expect(read(zip)).rejects.toThrow(message);
});

test('an archive of 100 kB that unpacks to 100 MB is rejected after 64 MiB', async () => {
  const zip = makeZip([{ name: 'a.csv', content: new Uint8Array(100_000_000) }]);
  expect(zip.length).toBeLessThan(200_000);
  let steps = 0;
  const count = (more: number): void => void (steps += more);
  await expect(read(zip, {}, {}, count)).rejects.toThrow('larger than 64 MiB');
  expect(steps).toBeLessThan(80_000_000);
});

test.each([
  ['PDF', '%PDF-1.7'],
  ['XLS', '\u00d0\u00cf\u0011\u00e0'],
  ['gzip', '\u001f\u008b'],
  ['7z', '7z\u00bc\u00af'],
  ['RAR', 'Rar!'],
  ['HTML', '<!DOCTYPE html><html>'],
  ['JSON', '[{"date":"2026-09-01"}]'],
  ['QIF', '!Type:Bank\nD09/01/2026\n'],
  ['MT942', '{1:F01X}{2:I942X}{4:\n:20:X\n:25:1\n:28C:1\n'],
])('a file of the format %s is named', async (name, text) => {
  await expect(read(new Uint8Array(Buffer.from(text, 'latin1')))).rejects.toThrow(name);
});

test('several CSV files that name no account are asked about by their names', async () => {
  const csv = 'Date,Amount (EUR),Description\n2026-09-01,-5.00,Fee\n';
  const names = ['checking.csv', 'savings.csv'];
  const { questions } = await read(makeZip(names.map((name) => ({ name, content: csv }))));
  expect(questions).toMatchObject([
    { code: 'account', message: expect.stringMatching(/"checking.csv", "savings.csv"/) },
  ]);
  expect((await read(makeZip([{ name: 'a.csv', content: csv }]))).questions[0]?.message).toMatch(/^The file names/);
});
