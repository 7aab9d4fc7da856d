// Risk: a small file keeps the parser busy forever, or a large one takes quadratic time.
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BankFileError, type FileFormat } from '../src/index.ts';
import { makeZip } from './make-zip.ts';
import { bytesOf, read } from './read.ts';

/** Ends a parser that exceeds its limit. */
class TooManySteps extends Error {}

/** Reads the file with at most 50 steps per unpacked byte. Returns the number of steps. */
async function stepsOf(
  bytes: Uint8Array<ArrayBuffer>,
  format?: FileFormat,
  size: number = bytes.length,
): Promise<number> {
  const most = 50 * size + 10_000;
  let steps = 0;
  const count = (more: number): void => {
    steps += more;
    if (steps > most) throw new TooManySteps(`more than ${most} steps for ${bytes.length} bytes`);
  };
  const answers = { currency: 'USD', ...(format ? { format } : {}) };
  await read(bytes, answers, {}, count).catch((error: unknown) => {
    if (!(error instanceof BankFileError)) throw error;
  });
  return steps;
}

const folders = { bai2: 'bai2', camt: 'camt.053', csv: 'csv', mt940: 'mt940', ofx: 'ofx' } as const;
const samples = Object.entries(folders).flatMap(([folder, format]) => {
  const url = new URL(`./samples/${folder}/`, import.meta.url);
  return readdirSync(url).map((name) => ({ format, text: readFileSync(new URL(name, url), 'latin1') }));
});

/** Tokens of a file and their separators; joined, they are the file. */
const tokensOf = (text: string): string[] => text.match(/<[^<>\n]{0,80}>|[\w.]+|[^\w<]|</g) ?? [];

const numbers = ['-2.5', '-1', '0.5', '1e9', '99999999999999999999', 'NaN', ''];
const at = fc.nat({ max: 1_000_000 });
const mutation = fc.oneof(
  fc.record({ kind: fc.constant('delete' as const), from: at, count: fc.integer({ min: 1, max: 40 }) }),
  fc.record({
    kind: fc.constant('repeat' as const),
    from: at,
    count: fc.integer({ min: 1, max: 8 }),
    times: fc.constantFrom(2, 30, 1_000),
  }),
  fc.record({ kind: fc.constant('swap' as const), from: at, to: at }),
  fc.record({ kind: fc.constant('flip' as const), from: at, bit: fc.integer({ min: 0, max: 7 }) }),
  fc.record({ kind: fc.constant('number' as const), from: at, number: fc.constantFrom(...numbers) }),
  fc.record({
    kind: fc.constant('insert' as const),
    from: at,
    text: fc.constantFrom(
      '<PAYEE>',
      '</ZZZ>',
      '</PAYEE>',
      '<STMTRS>',
      '<Ntry>',
      '</Ntry>',
      ',D,-2.5',
      '88,',
      ':86:',
      '"',
      '\n',
      ' ',
    ),
    times: fc.constantFrom(1, 3_000),
  }),
  fc.record({ kind: fc.constant('one line' as const), ends: fc.constantFrom('', ' ', '\r') }),
);
type Mutation = typeof mutation extends fc.Arbitrary<infer M> ? M : never;

function mutate(tokens: string[], change: Mutation): string[] {
  const place = (index: number): number => index % Math.max(1, tokens.length);
  switch (change.kind) {
    case 'delete':
      return tokens.toSpliced(place(change.from), change.count);
    case 'repeat': {
      const from = place(change.from);
      const part = tokens.slice(from, from + change.count);
      return tokens.toSpliced(from, 0, ...Array.from({ length: change.times }, () => part.join('')));
    }
    case 'swap': {
      const [from, to] = [place(change.from), place(change.to)];
      return tokens.with(from, tokens[to] ?? '').with(to, tokens[from] ?? '');
    }
    case 'flip': {
      const token = tokens[place(change.from)] ?? '';
      const flipped = String.fromCodePoint((token.codePointAt(0) ?? 0) ^ (1 << change.bit));
      return tokens.with(place(change.from), flipped + token.slice(1));
    }
    case 'number': {
      const from = place(change.from);
      const next = tokens.findIndex((token, i) => i >= from && /^[\d.]+$/.test(token));
      return next === -1 ? tokens : tokens.with(next, change.number);
    }
    case 'insert':
      return tokens.toSpliced(place(change.from), 0, change.text.repeat(change.times));
    case 'one line':
      return tokens.map((token) => token.replaceAll(/[\r\n]/g, change.ends));
    default:
      return change satisfies never;
  }
}

describe.each(Object.values(folders))('%s', (format) => {
  const own = samples.filter((sample) => sample.format === format);

  test('any change of a sample is read in steps in proportion to its size', { timeout: 120_000 }, async () => {
    const changes = fc.array(mutation, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...own), changes, fc.boolean(), async ({ text }, list, isGuessed) => {
        const changed = list
          .reduce(mutate, tokensOf(text))
          .filter((token) => token !== '')
          .join('');
        await stepsOf(bytesOf(changed.slice(0, 300_000)), isGuessed ? undefined : format);
      }),
      { numRuns: 300 },
    );
  });

  test('a sample of another format is read in steps in proportion to its size', async () => {
    for (const { text } of samples) expect(await stepsOf(bytesOf(text), format)).toBeGreaterThan(0);
  });
});

const many = 3_000;
const ofx = (body: string): string => `<OFX>${body}</OFX>`;
const row = '<STMTTRN><DTPOSTED>20260101<TRNAMT>1.00<FITID>1</STMTTRN>';
const bai2 = (fields: string): string =>
  `01,A,B,260101,0000,1,80,1,2/\n02,B,A,1,260101,0000,USD,2/\n03,1,USD,${fields}/\n49,100,2/\n98,100,1,3/\n99,100,1,5/\n`;
const camt = (body: string): string => `<Document><BkToCstmrStmt><Stmt>${body}</Stmt></BkToCstmrStmt></Document>`;
const entry =
  '<Ntry><Amt Ccy="USD">1</Amt><CdtDbtInd>DBIT</CdtDbtInd><RvslInd>true</RvslInd><BookgDt><Dt>2026-01-01</Dt></BookgDt>' +
  '<AmtDtls><CntrValAmt><Amt Ccy="EUR">1</Amt></CntrValAmt></AmtDtls></Ntry>';
const mt940 = (text: string): string =>
  `:20:X\n:25:1\n:60F:C260101EUR1,\n:61:2601010101C1,NTRF\n:86:${text}\n:62F:C260101EUR2,\n`;

test.each([
  ['end tags of what was never opened', ofx('<PAYEE>'.repeat(many) + '</ZZZ>'.repeat(many))],
  ['end tags of another aggregate', ofx('<PAYEE>'.repeat(many) + '</BANKACCTTO>'.repeat(many))],
  ['a statement on one line', ofx(`<STMTRS><CURDEF>USD${row.repeat(many)}</STMTRS>`)],
  ['statements without end tags', ofx(`<STMTRS><CURDEF>USD${row}`.repeat(many))],
  ['tags that do not end', ofx(`<A${' '.repeat(20)}`.repeat(many))],
  ['a negative, fractional count', bai2('010,100,0,D,-2.5')],
  ['more amounts than fields', bai2('010,100,0,D,999,1,2')],
  ['thousands of summaries', bai2(Array.from({ length: many }, () => '010,100,0,D,1,1,1').join(','))],
  ['thousands of columns', `${'Date,'.repeat(many)}Amount\n2026-01-01,1.00\n`],
  ['thousands of columns and hundreds of short rows', `${',D,-2.5'.repeat(many)}01\n${',2359,,2/\n'.repeat(1_000)}`],
  ['wide rows before the column names', `${`${'a,'.repeat(many)}\n`.repeat(40)}Date,Amount\n2026-01-01,1.00\n`],
  [
    'thousands of children',
    `<Document><BkToCstmrStmt><Stmt>${'<Ntry/>'.repeat(many)}</Stmt></BkToCstmrStmt></Document>`,
  ],
  ['end tags without an element', `<Document>${'</Ntry>'.repeat(many)}`],
  ['documents one after the other', camt('<Ntry/>').repeat(many)],
  ['ends of documents', `<Document>${'</Document>\n<Document>'.repeat(many)}`],
  ['reversals and counter values', camt(`<Acct><Ccy>EUR</Ccy></Acct>${entry.repeat(many)}`)],
  ['tags in a name', ofx(`<STMTRS><CURDEF>USD<STMTTRN><NAME>${'a <C> < '.repeat(many)}</STMTTRN></STMTRS>`)],
  ['amounts whose marks are open', ofx(`<STMTRS><CURDEF>USD${row.replace('1.00', '1,000').repeat(many)}</STMTRS>`)],
  ['code words', mt940(`/TRTP/X${'/REMI/A//B'.repeat(many)}`)],
  ['slashes', mt940(`/CNTP/${'/'.repeat(many)}REMI/`)],
  ['subfields', mt940(`034<00X${'<20A'.repeat(many)}`)],
  ['lines that begin like tags', mt940('A\n:20:15 B\n:61:37 C'.repeat(many))],
  [
    'groups that are left out',
    `${'02,B,A,4,260101,0000,USD,2/\n16,100,1/\n49,1,2/\n98,1,1,3/\n'.repeat(many)}`
      .replace(/^/, '01,A,B,260101,0000,1,80,1,2/\n')
      .concat('99,1,1,5/\n'),
  ],
  ['thousands of fields', `:20:X\n:25:1\n:60F:C260101EUR1,\n${':86:x\n'.repeat(many)}:62F:C260101EUR1,\n`],
])('%s take steps in proportion to the size of the file', async (_, text) => {
  expect(await stepsOf(bytesOf(text))).toBeGreaterThan(0);
});

test('an archive is read in steps in proportion to what it unpacks to', async () => {
  const files = samples.map(({ text }, i) => ({ name: `${i}`, content: text }));
  const size = files.reduce((sum, { content }) => sum + content.length, 0);
  expect(await stepsOf(makeZip(files), undefined, size)).toBeGreaterThan(0);
  const large = 'a,b\n'.repeat(1_000_000);
  expect(await stepsOf(makeZip([{ name: 'a.csv', content: large }]), undefined, large.length)).toBeGreaterThan(0);
});

test('any change of an archive is read in steps in proportion to its size, or an error', async () => {
  const text = mt940('A'.repeat(500));
  const zip = makeZip([
    { name: 'a.sta', content: text },
    { name: 'b.sta', content: text, isStored: true },
  ]);
  const changes = fc.array(fc.tuple(fc.nat({ max: zip.length - 1 }), fc.nat({ max: 255 })), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(changes, fc.nat({ max: zip.length }), fc.boolean(), async (list, end, isCut) => {
      const changed = zip.slice(0, isCut ? end : zip.length);
      for (const [i, byte] of list) if (i < changed.length) changed[i] = byte;
      if (changed.length > 0) await stepsOf(changed, undefined, 2 * text.length + changed.length);
    }),
    { numRuns: 300 },
  );
});
