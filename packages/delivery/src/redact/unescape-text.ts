/** A text without its escapes. `at` says where in the original each character began, and at the end how long that was. */
export type Plain = { readonly text: string; readonly at: readonly number[] | undefined };

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const letters: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
// The last one is an escape that the end of the text has cut off.
const escapes =
  /\\u([0-9a-f]{4})|\\(["'\\/bfnrt])|%([0-9a-f]{2})|&#x([0-9a-f]{1,6});|&#(\d{1,7});|&(amp|lt|gt|quot|apos);|(?:\\u?[0-9a-f]{0,3}|%[0-9a-f]?|&#?\w{0,7})$/gi;
/** An escape in an escape in an escape: what is escaped more often is not meant to be read. */
const mostTimes = 3;

/**
 * Takes the escapes of JSON, URLs and HTML out of a text, also those of the others in each other. It is not a decoder of any
 * of these: it finds words of printable ASCII, however they were written.
 */
export function unescapeText(original: string): Plain {
  let plain: Plain = { text: original, at: undefined };
  for (let times = 0; times < mostTimes && /[\\%&]/.test(plain.text); times++) plain = unescapeOnce(plain);
  return plain;
}

function unescapeOnce({ text, at }: Plain): Plain {
  const places: number[] = [];
  let plain = '';
  let done = 0;
  const keep = (to: number): void => {
    for (let i = done; i < to; i++) places.push(at?.[i] ?? i);
    plain += text.slice(done, to);
  };
  for (const match of text.matchAll(escapes)) {
    keep(match.index);
    const character = characterOf(match);
    for (let i = 0; i < character.length; i++) places.push(at?.[match.index] ?? match.index);
    plain += character;
    done = match.index + match[0].length;
  }
  keep(text.length);
  places.push(at?.[text.length] ?? text.length);
  return { text: plain, at: places };
}

function characterOf([, unicode, letter, byte, hex, decimal, entity]: readonly (string | undefined)[]): string {
  if (letter !== undefined) return letters[letter] ?? letter;
  if (entity !== undefined) return entities[entity.toLowerCase()] ?? '';
  if (decimal !== undefined) return fromCode(Number(decimal));
  const code = unicode ?? byte ?? hex;
  return code === undefined ? '' : fromCode(Number.parseInt(code, 16));
}

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
