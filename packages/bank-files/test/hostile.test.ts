// Risk: a hostile or broken file hangs the import, takes all memory, reads another file, or is imported partly.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BankFileError, type FileFormat, skippedRowsCsv } from '../src/index.ts';
import { read } from './read.ts';

const formats: FileFormat[] = ['csv', 'ofx', 'camt.053', 'mt940', 'bai2'];
const reason = (text: string | Uint8Array<ArrayBuffer>, format?: FileFormat) =>
  read(text, { currency: 'USD', ...(format ? { format } : {}) }).then(
    () => 'read',
    (error: unknown) => {
      if (error instanceof BankFileError) return error.message;
      throw error;
    },
  );

const camt = (body: string, before = '') =>
  `<?xml version="1.0"?>${before}\n<Document><BkToCstmrStmt>${body}</BkToCstmrStmt></Document>`;
const bai2 = (summaries: string) =>
  `01,A,B,260101,0000,1,80,1,2/\n02,B,A,1,260101,0000,USD,2/\n03,1,USD,${summaries}/\n49,100,2/\n98,100,1,3/\n99,1,1,5/\n`;
const laughs = `<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>`;
const external = '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>';

test.each([
  ['billion laughs', camt('<Stmt>&c;</Stmt>', laughs), /^Line 1, column \d+: the document has a DOCTYPE/],
  ['an external entity', camt('<Stmt>&x;</Stmt>', external), /^Line 1, column \d+: the document has a DOCTYPE/],
  ['an entity that nobody defined', camt('<Stmt>&x;</Stmt>'), /^Line 2, column \d+: not well-formed XML/],
  ['deep nesting', camt('<a>'.repeat(100_000)), /^Line 2, column \d+: elements are nested deeper than 64/],
  ['an element that is not closed', camt('<Stmt>').slice(0, -40), /^Line 2, column \d+: not well-formed XML/],
  ['a truncated OFX file', '<OFX><STMTTRN><TRNAMT>1', /^Line 1, column 24: .* truncated/],
  ['a truncated BAI2 file', '01,A,B,210101,0101,1,,,2/\n02,A,B,1,210101,,USD,2/', /^Line 2, column 1: .* truncated/],
  ['a truncated MT940 file', ':20:X\n:25:1\n:60F:C260101EUR1,\n:61:2601010101C1,NTRF', /^Line 1, .* truncated/],
  ['a quotation mark that is not closed', 'Date,Amount\n"2026-01-01,5', /^Line 2, column \d+: not a CSV file/],
  ['an attribute with the name of a method', camt('<Stmt hasOwnProperty="x" a="1"/>'), /^Line 2, column \d+: the XML/],
  ['a count below zero', bai2('010,100,0,D,-2.5'), /^Line 3, column 1: .*"-2\.5" amounts, which is not a count/],
  ['a count of a thousand', bai2('010,100,0,D,1000'), /^Line 3, column 1: .*not a count from 0 to 999/],
  ['a count in hexadecimal', bai2('010,100,0,D,0x1'), /^Line 3, column 1: .*not a count/],
  ['no count', bai2('010,100,0,D'), /^Line 3, column 1: .*not a count/],
  ['NUL', 'Date,Amount\n2026-01-01,\0', /^Line 2, column 12: a NUL byte/],
  ['nothing', '', /^The file is empty/],
])('%s is an error, with its place if it has one', async (_, text, message) => {
  expect(await reason(text)).toMatch(message);
});

test('a file of 100 MB is rejected before it is decoded', async () => {
  expect(await reason(new Uint8Array(100_000_000))).toMatch(/104857600|100000000 bytes/);
});

describe.each(formats)('%s', (format) => {
  test('a line of 5 MB ends in time', { timeout: 20_000 }, async () => {
    for (const part of ['a', '<', '<A', ',', '"', ' ', '88,', ':61:', '&a;', '/', '01,']) {
      const start: Record<FileFormat, string> = {
        csv: 'Date,Amount\n2026-01-01,',
        ofx: '<OFX>',
        'camt.053': '<Document><BkToCstmrStmt>',
        mt940: ':20:X\n:60F:C260101EUR1,\n:86:',
        bai2: '01,A/\n',
      };
      const text = start[format] + part.repeat(Math.floor(5_000_000 / part.length));
      expect(await reason(text, format)).toMatch(/^(Line \d+, column \d+: |The )/);
    }
  });

  test('any text is read, or an error of the file', async () => {
    const words = fc.constantFrom(
      ...'<OFX> </OFX> <STMTRS> <STMTTRN> <CURDEF>USD <TRNAMT> <DTPOSTED>20260101 <FITID> <!--'.split(' '),
      ...':20: :25: :60F:C260101EUR1, :61:2601010101C1,NTRF :62F:C260101EUR1, :86: -} {4:'.split(' '),
      ...'01, 02,A,B,1,260101,,USD,2/ 03,1,USD,015,5,,/ 16, 142,100,, 88, 49, 99, 98,'.split(' '),
      ...'<Document> <BkToCstmrStmt> <Stmt> <Ntry> <Amt> </Amt> <![CDATA[ ]]> &#0; Date,Amount,Balance'.split(' '),
      '2026-01-01',
      ',',
      ';',
      '"',
      '\n',
      '\r\n',
      '1.00',
      '=cmd|x!A1',
      'é',
      '\u{1f600}',
    );
    const text = fc.array(fc.oneof({ weight: 4, arbitrary: words }, fc.string()), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(text, async (parts) => {
        expect(await reason(parts.join(''), format)).toMatch(/^(read|Line \d+, column \d+: |The )/);
      }),
      { numRuns: 400 },
    );
  });

  test('any bytes are read, or an error of the file', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (sent) => {
        expect(await reason(new Uint8Array(sent), format)).toMatch(/^(read|Line \d+, column \d+: |The )/);
      }),
    );
  });
});

test('a formula is text in a description, no amount, and harmless in the CSV of skipped rows', async () => {
  const file = await read('Date,Amount,Description\n2026-01-01,5.00,=1+1\n2026-01-02,=1+1,x\n', { currency: 'USD' });
  const [row] = file.accounts.flatMap(({ transactions }) => transactions);
  expect(row).toMatchObject({ description: '=1+1', amount_cents: 500 });
  expect(file.problems).toMatchObject([
    { line: 3, column: 2, message: 'the row is left out: "=1+1" is not an amount' },
  ]);
  const left = { kind: 'transactions' as const, rows: 1, stored: 0, known: 0, failed: 1, former: null, isOpen: false };
  const rejected = row ? [{ row, reason: 'wrong' }] : [];
  const outcome = { ...left, rejected, similar: [], elsewhere: [], totals: [], warnings: [] };
  expect(skippedRowsCsv(file.problems, [outcome])).toBe(
    'line,reason,external_id,posted_at,amount_cents,currency,description\r\n' +
      '3,"the row is left out: ""=1+1"" is not an amount",,,,,\r\n' +
      "2,wrong,,2026-01-01T12:00:00.000Z,500,USD,'=1+1\r\n",
  );
});
