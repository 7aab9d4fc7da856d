// Risk: another person's text moves the cursor, changes colours or hides a part of the output.
import { expect, test } from 'vitest';
import { plain, plainJson, plainLines } from './clean-text.ts';

const unsafe: Readonly<Record<string, string>> = {
  'C0, the start of escape sequences': '\u001b',
  'carriage return': '\r',
  NUL: '\0',
  DEL: '\u007f',
  'C1, an escape sequence of one character': '\u009b',
  'right-to-left override': '\u202e',
  isolate: '\u2066',
  'zero-width space': '\u200b',
  'zero-width joiner': '\u200d',
  'byte order mark': '\ufeff',
  'soft hyphen': '\u00ad',
  'line separator': '\u2028',
  'paragraph separator': '\u2029',
  'Hangul filler': '\u3164',
  'language tag': '\u{e0001}',
};
test.each(Object.entries(unsafe))('%s becomes a space, and an escape in JSON', (_, character) => {
  expect(plain(`a${character}b`)).toBe('a b');
  expect(plainLines(`a${character}b\n\tc`)).toBe('a b\n\tc');
  const json = JSON.stringify({ [`a${character}`]: character });
  expect(plainJson(json)).toMatch(/^[\x20-\x7e]+$/);
  expect(JSON.parse(plainJson(json))).toEqual({ [`a${character}`]: character });
});

test('no control, format or separator character of Unicode is kept, and JSON keeps its value', () => {
  const all = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter((each) =>
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(each),
  );
  const text = all.join('x');
  expect(all.length).toBeGreaterThan(200);
  expect(plain(text)).toMatch(/^[ x]+$/);
  expect(plainLines(text)).toMatch(/^[ x\n\t]+$/);
  const json = JSON.stringify([text, { [text]: 1 }], null, 2);
  expect(plainJson(json)).toMatch(/^[\x20-\x7e\n]+$/);
  expect(JSON.parse(plainJson(json))).toEqual([text, { [text]: 1 }]);
});

test('letters, marks and emoji of all scripts stay', () => {
  for (const text of ['Müller & Söhne', '株式会社', 'الشركة', 'हिन्दी', '❤️ 1️⃣'])
    expect([plain(text), plainLines(text), plainJson(text)]).toEqual([text, text, text]);
});
