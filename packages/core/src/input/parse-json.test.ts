// Risk: a body is misread: a repeated key wins, or a number is rounded.
import { mayBeInexact, numberError } from '@finhook/contracts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DomainError } from '../verbs/domain-error.ts';
import { locateJsonErrors, type ParsedJson, parseJson, parseLongJson } from './parse-json.ts';

function errorOf(text: string): DomainError {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error(`${text} was not refused.`);
}

const codesOf = ({ inexact }: ParsedJson): [string, string][] => inexact.map(({ pointer, code }) => [pointer, code]);

const below = (items: readonly string[]): string => `{"${'k'.repeat(1_000_000)}":[${items.join()}]}`;

/** Any JSON value within the depth limit. */
const json = fc.jsonValue({ maxDepth: 10 });
const space = fc.stringMatching(/^[ \t\n\r]{0,3}$/);

test('any JSON value is read as JSON.parse reads it, and nothing is reported', () => {
  fc.assert(
    fc.property(json, fc.integer({ min: 0, max: 4 }), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const parsed = parseJson(text);
      expect(parsed).toEqual({ value: JSON.parse(text), inexact: [] });
    }),
    { numRuns: 500 },
  );
});

test('invalid JSON is rejected like JSON.parse does, and no text loops or throws anything else', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.stringMatching(/^[[\]{}",:\\0-9eE.+-]{0,25}$/),
    fc.tuple(json, fc.nat()).map(([value, cut]) => {
      const whole = JSON.stringify(value);
      return whole.slice(0, cut % (whole.length + 1));
    }),
  );
  fc.assert(
    fc.property(text, (sent) => {
      let expected: unknown;
      try {
        expected = JSON.parse(sent);
      } catch {
        expect(errorOf(sent).code).toBe('malformed_json');
        return;
      }
      try {
        expect(parseJson(sent).value).toEqual(expected);
      } catch (error) {
        expect(error).toMatchObject({ code: 'duplicate_json_key' });
      }
    }),
    { numRuns: 2_000 },
  );
});

test('the error of invalid JSON names the position or the character, and nothing around it', () => {
  const reported = (text: string): string => errorOf(text).message.replace('The body is not valid JSON: ', '');
  expect(reported('{"secret":tok_live_x}')).toBe("Unexpected token 'o'.");
  expect(reported('{"secret":"tok_live_x" "tok_live_x"}')).toMatch(/^Expected ',' or '}' after .* position 23/);
  const pieces = fc.constantFrom('tok_live', '"tok_live"', "'tok_live'", ...'{ } [ ] " , : \' \\ \n 1'.split(' '));
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
      expect(reported(`${parts.join('')}tok_live`)).not.toContain('ok_live');
    }),
    { numRuns: 2_000 },
  );
});

describe('a key that stands twice in one object', () => {
  test('is found at any place and in any notation', () => {
    const key = fc.string({ unit: 'binary', maxLength: 6 }).filter((text) => text.isWellFormed());
    const escaped = (text: string): string => {
      const units = Array.from({ length: text.length }, (_, i) => text.charCodeAt(i).toString(16).padStart(4, '0'));
      return `"${units.map((unit) => `\\u${unit}`).join('')}"`;
    };
    const fields = fc.dictionary(key, json, { maxKeys: 4 });
    fc.assert(
      fc.property(
        fields,
        key,
        json,
        json,
        fc.array(fc.oneof(fc.constant('list'), key), { maxLength: 4 }),
        space,
        fc.boolean(),
        (others, name, first, second, wraps, gap, escape) => {
          const entries = Object.entries(others)
            .filter(([other]) => other !== name)
            .map(([other, value]) => `${JSON.stringify(other)}:${JSON.stringify(value)}`);
          const again = escape ? escaped(name) : JSON.stringify(name);
          let text = `{${gap}${[`${JSON.stringify(name)}${gap}:${JSON.stringify(first)}`, ...entries, `${again}:${gap}${JSON.stringify(second)}`].join(`${gap},${gap}`)}}`;
          let pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
          for (const wrap of wraps) {
            text = wrap === 'list' ? `[0,${text}]` : `{${JSON.stringify(wrap)}:${text}}`;
            pointer =
              wrap === 'list' ? `/1${pointer}` : `/${wrap.replaceAll('~', '~0').replaceAll('/', '~1')}${pointer}`;
          }
          const rejection = errorOf(text);
          expect([rejection.code, rejection.extra['pointer']]).toEqual(['duplicate_json_key', pointer]);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('is no error in two objects, nor as a value, nor as text that looks like one', () => {
    for (const text of [
      '[{"a":1},{"a":1}]',
      '{"a":{"a":1}}',
      '{"a":"b","b":"a"}',
      '{"a":"\\"a\\":1"}',
      '{"a\\\\":1,"a":2}',
      '{"":1," ":2}',
    ]) {
      expect(parseJson(text)).toEqual({ value: JSON.parse(text), inexact: [] });
    }
  });

  test('is found for names that objects inherit', () => {
    for (const name of ['__proto__', 'constructor', 'toString'])
      expect(errorOf(`{"${name}":1,"${name}":2}`).code).toBe('duplicate_json_key');
    expect(parseJson('{"__proto__":1,"constructor":2}').inexact).toEqual([]);
  });
});

describe('a number literal', () => {
  const max = 2n ** 53n - 1n;

  test('within ±(2^53−1) is read exactly and not reported', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -max, max }), (value) => {
        expect(parseJson(`{"a":${value}}`)).toEqual({ value: { a: Number(value) }, inexact: [] });
      }),
      { numRuns: 1_000 },
    );
  });

  test('that a double rounds in a digit that was sent is reported with its place', () => {
    const outside = fc.oneof(
      fc.bigInt({ min: max + 1n, max: max * 4n }),
      fc.bigInt({ min: 10n ** 17n, max: 10n ** 40n }),
      fc.bigInt({ min: 10n ** 300n, max: 10n ** 320n }),
    );
    fc.assert(
      fc.property(outside, fc.boolean(), (size, negative) => {
        const literal = `${negative ? '-' : ''}${size}`;
        const parsed = parseJson(`{"rows":[0,{"a":${literal}}]}`);
        const value = Number(literal);
        const unit = 10n ** BigInt(/0*$/.exec(literal)?.[0].length ?? 0);
        const lost = Number.isFinite(value) ? BigInt(value) - BigInt(literal) : unit;
        const kept = (lost < 0n ? -lost : lost) * 2n < unit;
        // The schema rejects unsafe integers that parsing keeps.
        expect(codesOf(parsed)).toEqual(kept ? [] : [['/rows/1/a', 'out_of_range']]);
        expect(Number.isSafeInteger(value)).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  test('that skips the close check is one that a double represents', () => {
    const digits = fc.stringMatching(/^(?:0|[1-9]\d{0,18})$/);
    const fraction = fc.stringMatching(/^(?:\.\d{1,18})?$/);
    const exponent = fc.stringMatching(/^(?:[eE][+-]?\d{1,4})?$/);
    fc.assert(
      fc.property(fc.tuple(digits, fraction, exponent), (parts) => {
        const literal = parts.join('');
        if (!mayBeInexact(literal, 0, literal.length)) expect(numberError(literal)).toBeUndefined();
      }),
      { numRuns: 5_000 },
    );
    expect(['1e9', '123456789.25', '100000000000000'].filter((text) => mayBeInexact(text, 0, text.length))).toEqual([]);
  });

  test('means the same in every notation', () => {
    // Zero has its own test below, because its digits cannot be moved.
    const value = fc.integer({ min: -999_999, max: 999_999 }).filter((integer) => integer !== 0);
    fc.assert(
      fc.property(
        value,
        fc.nat({ max: 6 }),
        fc.nat({ max: 5 }),
        fc.constantFrom('e', 'E', 'e+'),
        (integer, shift, zeros, e) => {
          const sign = integer < 0 ? '-' : '';
          const digits = String(Math.abs(integer));
          const moved = digits.padStart(shift + 1, '0');
          const point = moved.length - shift;
          const forms = [
            `${integer}.0${'0'.repeat(zeros)}`,
            `${integer}${e}0`,
            `${integer}${'0'.repeat(zeros)}e-${zeros}`,
            `${sign}${moved.slice(0, point)}.${moved.slice(point)}0${e}${shift}`,
          ];
          for (const form of forms) expect(parseJson(`[${form}]`)).toEqual({ value: [Number(form)], inexact: [] });
          for (const form of forms) expect(Number(form)).toBe(integer);
        },
      ),
    );
  });

  test.each([
    ['1e400', 'out_of_range'],
    ['-1e400', 'out_of_range'],
    ['9007199254740993', 'out_of_range'],
    ['9007199254740993.0', 'out_of_range'],
    ['90071992547409930e-1', 'out_of_range'],
    ['1.00000000000000000001', 'not_an_integer'],
    ['4503599627370496.3', 'not_an_integer'],
    ['1e-400', 'not_an_integer'],
    ['0.1234567890123456789', 'not_an_integer'],
    ['0.10000000000000000001', 'not_an_integer'],
    ['3e-324', 'not_an_integer'],
    ['9007199254740994', undefined],
    ['1e300', undefined],
    ['1e23', undefined],
    ['5e-324', undefined],
    ['0.10000000000000001', undefined],
    ['1203552725602109.2', undefined],
    ['1203552725602109.3', undefined],
    ['0.1000000000000000055511151231257827', undefined],
    ['99999999999999991611392', undefined],
    ['-0.00000000000000000000000e5', undefined],
    ['0e999999999999', undefined],
    ['12.5', undefined],
    ['0.1', undefined],
    ['100000000000000000000', undefined],
  ])('%s is %s', (literal, code) => {
    expect(codesOf(parseJson(`{"a~/b":${literal}}`))).toEqual(code === undefined ? [] : [['/a~0~1b', code]]);
  });

  test('inside of a text is text', () => {
    expect(parseJson('{"a":"9007199254740993","b":"\\\\\\"1e400"}').inexact).toEqual([]);
  });
});

describe('effort follows the length of the text', () => {
  test.each([
    ['a million zeros after the point', `[1.${'0'.repeat(1_000_000)}1]`],
    ['a million zeros before an exponent', `[0.${'0'.repeat(1_000_000)}1e1000001]`],
    ['a million digits', `[${'9'.repeat(1_000_000)}]`],
    ['two million brackets', '['.repeat(2_000_000)],
    ['two million brackets, closed', '['.repeat(1_000_000) + ']'.repeat(1_000_000)],
    ['a million backslashes', `["${'\\'.repeat(1_000_000)}"]`],
    ['quotes and backslashes', `["${'\\"'.repeat(500_000)}`],
    ['numbers beyond a double below a long key', below(Array(49_000).fill('1e999'))],
  ])('%s', (_name, text) => {
    // Quadratic effort exceeds the timeout.
    try {
      parseJson(text);
    } catch (error) {
      expect(error).toMatchObject({ code: 'malformed_json' });
    }
  });

  test('one repeated key of many is found, and its pointer below a long key is truncated', () => {
    const { extra } = errorOf(below(Array(12_000).fill('{"a":1,"a":1}')));
    expect(extra['pointer']).toBe(`/${'k'.repeat(100)}…/0/a`);
  });

  test('5000 numbers that a double cannot hold are reported one by one; more are an error of the whole body', () => {
    const rows = (count: number): ParsedJson => parseJson(below(Array(count).fill('1e999')));
    const reported = codesOf(rows(5_000));
    expect([reported.length, reported[4_999]]).toEqual([5_000, [`/${'k'.repeat(100)}…/4999`, 'out_of_range']]);
    expect(codesOf(rows(5_001))).toEqual([['', 'out_of_range'], ...reported]);
  });

  test('the search for errors stops at the last reported one', () => {
    const walk = (tail: string): number => [...locateJsonErrors(below(Array(5_001).fill('1e999')) + tail)].length;
    expect(walk(' '.repeat(1_000_000))).toBe(walk(''));
  });

  test('the search for errors pauses in white space', () => {
    const pauses = (text: string): number => [...locateJsonErrors(text)].length;
    expect(pauses(`[1,${' '.repeat(1_000_000)}1]`)).toBeGreaterThan(20);
  });

  test('a long body yields to the event loop, a short one does not', async () => {
    const hadTurn = async (text: string): Promise<boolean> => {
      let had = false;
      const other = setImmediate(() => {
        had = true;
      });
      await parseLongJson(text);
      clearImmediate(other);
      return had;
    };
    expect(await hadTurn('[1]')).toBe(false);
    expect(await hadTurn(`["${'x'.repeat(40_000)}"]`)).toBe(true);
  });

  test('32 levels are read, 33 are rejected', () => {
    const nested = (levels: number): string =>
      '[{"a":'.repeat(levels / 2) + (levels % 2 ? '[]' : '0') + '}]'.repeat(levels / 2);
    expect(parseJson(nested(32)).inexact).toEqual([]);
    expect(errorOf(nested(33))).toMatchObject({ code: 'malformed_json', message: expect.stringContaining('32') });
  });
});

const wide = (count: number): string => `{${Array.from({ length: count }, (_, i) => `"n${i}":${i}`).join()}}`;

test.each([
  ['the whole text', (object: string) => object, 200],
  ['a row', (object: string) => `{"rows":[{"a":1},${object}]}`, 200],
  ['metadata', (object: string) => `{"metadata":${object}}`, 1_000],
  ['an object inside of free JSON', (object: string) => `{"payload":{"a":[${object}]},"b":{}}`, 1_000],
  ['an object after free JSON', (object: string) => `{"metadata":{"a":{}},"b":${object}}`, 200],
  ['a text that only names free JSON', (object: string) => `{"b":["metadata",${object}]}`, 200],
])('an object may have so many names: %s', async (_name, place, limit) => {
  expect(parseJson(place(wide(limit))).inexact).toEqual([]);
  const error = errorOf(place(wide(limit + 1)));
  expect([error.code, error.extra['limit_names']]).toEqual(['body_too_large', limit]);
  expect(error.message).toContain(`at character ${place(wide(limit + 1)).indexOf('{"n0"') + 1} of`);
  await expect(parseLongJson(place(wide(limit + 1)))).rejects.toMatchObject({ code: 'body_too_large' });
  expect((await parseLongJson(place(wide(limit + 1)), { anyWidth: true })).inexact).toEqual([]);
});
