// Risk: a spreadsheet runs a formula that a counterparty wrote, or reads another value than was stored.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCsv } from '../../../test/parse-csv.ts';
import { encodeCsvHeader, encodeCsvRows } from './encode-csv.ts';

const STARTS = Array.from('=+-@＝＋－＠﹦﹢﹣﹫−⁺⁻⁼⩵⩶');
const SEPARATORS = Array.from(',;|\t\n\r');
const awkward = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom(...STARTS, ...SEPARATORS, '"', '＂', "'", ' ', 'a', 'é', '😀', '\u2028') }),
);
const cell = (value: unknown): string => encodeCsvRows(['a'], [{ a: value }]).slice(0, -2);
/** A text that no program cuts into pieces of which one is a formula. */
const isHarmless = (text: string): boolean =>
  text
    .split(/[,;|\t\n\v\f\r\u0085\u2028\u2029]/)
    .flatMap((piece) => [piece, piece.normalize('NFKC')])
    .every((piece) => !/^[\p{Cc}\p{Cf}"＂]*[=+\-@−]/u.test(piece));

test('whatever the texts are, a parser reads them back, and wherever they are cut no formula begins', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ a: awkward, b: awkward, c: fc.integer() })), (records) => {
      const rows = parseCsv(encodeCsvHeader(['a', 'b', 'c']) + encodeCsvRows(['a', 'b', 'c'], records));
      expect(rows).toHaveLength(records.length + 1);
      for (const [i, { a, b, c }] of records.entries()) {
        const cells = rows[i + 1] ?? [];
        expect(cells.map(({ quoted }) => quoted)).toEqual([true, true, false]);
        for (const [read, stored] of [
          [cells[0]?.text ?? '', a],
          [cells[1]?.text ?? '', b],
        ] as const) {
          expect(isHarmless(read), JSON.stringify(read)).toBe(true);
          expect(read.replaceAll("'", '')).toBe(stored.replaceAll("'", ''));
          if (isHarmless(stored) && !/^[\t\r\n]/.test(stored)) expect(read).toBe(stored);
        }
        expect(cells[2]?.text).toBe(String(c));
      }
    }),
    { numRuns: 500 },
  );
});

test('a formula is found wherever one pass over the characters finds it, and nowhere else', () => {
  const marked = (text: string): string => {
    let marks = '';
    let mayBegin = true;
    for (const char of text) {
      if (mayBegin && STARTS.includes(char)) marks += "'";
      marks += char;
      if (/[,;|\t\n\v\f\r\u0085\u2028\u2029]/.test(char)) mayBegin = true;
      else if (!/[\p{Cc}\p{Cf}"＂]/u.test(char)) mayBegin = false;
    }
    return /^[\t\n\r]/.test(marks) ? `'${marks}` : marks;
  };
  const unit = fc.constantFrom(
    '=',
    '-',
    '\u2212',
    ...SEPARATORS,
    '\u0085',
    '\u2028',
    '\u200B',
    '\u00AD',
    '\0',
    '"',
    "'",
    'a',
    '😀',
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 30 }), (text) => {
      expect(cell(text)).toBe(`"${marked(text).replaceAll('"', '""')}"`);
    }),
    { numRuns: 2_000 },
  );
});

// Effort that grows with the square of the length would take longer than a test may.
test.each(['\u200B', '"', '\u007F', ',', ',\u200B', '='])('a long text of %j is encoded', (repeated) => {
  const text = `${repeated.repeat(200_000)}€`;
  expect(encodeCsvRows(['a', 'b'], [{ a: text, b: { text } }]).length).toBeGreaterThan(2 * text.length);
});

test('every character that Unicode folds into the start of a formula counts as one', () => {
  const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
  const starts = all.filter((start) => /^[=+\-@−]$/.test(start.normalize('NFKC')));
  expect(starts.length).toBeGreaterThan(STARTS.length);
  expect(starts.filter((start) => cell(start) !== `"'${start}"`)).toEqual([]);
});

test('nested values stay JSON of the same value, and no formula begins in their texts', () => {
  fc.assert(
    fc.property(fc.record({ a: awkward, list: fc.array(fc.oneof(awkward, fc.integer())) }), (value) => {
      const [[read] = []] = parseCsv(encodeCsvRows(['a'], [{ a: value }]));
      expect(JSON.parse(read?.text ?? '')).toEqual(value);
      const texts = read?.text.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
      expect(texts.filter((text) => !isHarmless(text))).toEqual([]);
    }),
  );
});

test('numbers, also negative ones, and booleans are written without quotes', () => {
  expect([-500, 0, 9_007_199_254_740_991, 12.5, true, false].map(cell)).toEqual([
    '-500',
    '0',
    '9007199254740991',
    '12.5',
    'true',
    'false',
  ]);
});

test('null is an empty cell, an empty text a pair of quotes, and nested values are JSON', () => {
  expect(encodeCsvRows(['a', 'b', 'c', 'd'], [{ a: null, b: '', c: { k: ['x', -1] } }])).toBe(
    ',"","{""k"":[""x"",-1]}",\r\n',
  );
});

test('the header names the columns, and rows end with CRLF', () => {
  expect(encodeCsvHeader(['id', 'amount_cents'])).toBe('id,amount_cents\r\n');
  expect(encodeCsvRows(['id', 'amount_cents'], [])).toBe('');
});
