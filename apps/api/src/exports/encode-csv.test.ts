// Risk: a spreadsheet runs a formula that a counterparty wrote, or reads another value than was stored.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCsv } from '../../test/parse-csv.ts';
import { encodeCsvHeader, encodeCsvRows } from './encode-csv.ts';

const FORMULA_STARTS = ['=', '+', '-', '@', '\t', '\r'];
const awkward = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(...FORMULA_STARTS, '"', "'", ',', '\n', ' ', 'a', 'é', '😀', '\u2028') }),
);
const cell = (value: unknown): string => encodeCsvRows(['a'], [{ a: value }]).slice(0, -2);

test('S30: whatever the texts are, a parser reads back the texts, with an apostrophe before a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ a: awkward, b: awkward, c: fc.integer() })), (records) => {
      const rows = parseCsv(encodeCsvHeader(['a', 'b', 'c']) + encodeCsvRows(['a', 'b', 'c'], records));
      expect(rows).toHaveLength(records.length + 1);
      for (const [i, { a, b, c }] of records.entries()) {
        const texts = rows[i + 1]?.map(({ text }) => text) ?? [];
        expect(texts).toHaveLength(3);
        for (const [text, stored] of [
          [texts[0], a],
          [texts[1], b],
        ]) {
          expect(FORMULA_STARTS).not.toContain(text?.charAt(0));
          expect(text).toBe(FORMULA_STARTS.includes(stored?.charAt(0) ?? '') ? `'${stored}` : stored);
        }
        expect(texts[2]).toBe(String(c));
      }
    }),
    { numRuns: 500 },
  );
});

test('S30: every start of a formula is made text; the same characters inside of a text stay', () => {
  for (const start of FORMULA_STARTS) {
    const [[read] = []] = parseCsv(encodeCsvRows(['a'], [{ a: `${start}1+1` }]));
    expect(read?.text).toBe(`'${start}1+1`);
  }
  expect(cell('1=1+1-1@1')).toBe('1=1+1-1@1');
  expect(cell('=HYPERLINK("http://x","y")')).toBe(`"'=HYPERLINK(""http://x"",""y"")"`);
});

test('numbers and booleans are numbers and booleans, also the negative ones', () => {
  expect([-500, 0, 9_007_199_254_740_991, 12.5, true, false].map(cell)).toEqual([
    '-500',
    '0',
    '9007199254740991',
    '12.5',
    'true',
    'false',
  ]);
});

test('nothing is nothing, an empty text is a pair of quotes, and what is nested is JSON', () => {
  expect(encodeCsvRows(['a', 'b', 'c', 'd'], [{ a: null, b: '', c: { k: ['x', -1] } }])).toBe(
    ',"","{""k"":[""x"",-1]}",\r\n',
  );
});

test('the header names the columns, and rows end with CRLF', () => {
  expect(encodeCsvHeader(['id', 'amount_cents'])).toBe('id,amount_cents\r\n');
  expect(encodeCsvRows(['id', 'amount_cents'], [])).toBe('');
});
