import type { Question } from '../questions.ts';
import type { Choice } from '../statement.ts';
import { charsetOf } from './charsets.ts';

const candidates: readonly (readonly [name: string, region: string])[] = [
  ['windows-1252', 'Western European'],
  ['windows-1250', 'Central European'],
  ['windows-1251', 'Cyrillic'],
  ['windows-1253', 'Greek'],
  ['windows-1254', 'Turkish'],
  ['windows-1257', 'Baltic'],
  ['iso-8859-2', 'Central European'],
  ['cp850', 'Western European, DOS'],
  ['cp852', 'Central European, DOS'],
  ['koi8-r', 'Cyrillic'],
  ['shift_jis', 'Japanese'],
  ['gbk', 'Chinese'],
  ['euc-kr', 'Korean'],
  ['utf-8', 'with characters that are cut or damaged'],
];

const SAMPLE = 16_384;

/** Typical characters of Western bank texts. `š`, `ž`, `ð`, `þ` and `ý` rather belong to others. */
const western =
  /^[\p{ASCII}€‚„…•‘’“”–—™œŒ\u{a0}¡£¥§©ª«®°±²³´µ·º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜßàáâãäåæçèéêëìíîïñòóôõöøùúûüÿ×]*$/u;

/** Patterns that occur only in a text decoded by the wrong charset. */
const oddities: readonly RegExp[] = [
  // Undefined bytes.
  /[\x80-\x9f\ufffd]/g,
  // A sign inside a word, or on the wrong side of it.
  /\p{L}(?![’‘'´`·–—\u{a0}\u{ad}])[^\p{ASCII}\p{L}\p{M}](?=\p{L})/gu,
  /[£¥¢¤¯±¶¹²³¼½¾¦¬](?=\p{L})/gu,
  /\p{L}[„‚¿¡¤¦]/gu,
  // A capital letter inside a word.
  /\p{Ll}(?!\p{ASCII})\p{Lu}/gu,
  // Latin words without an ASCII letter.
  /(?!\p{ASCII})\p{Script=Latin}(?!\p{ASCII})\p{Script=Latin}(?!\p{ASCII})\p{Script=Latin}/gu,
  // Words in two scripts.
  /\p{Script=Latin}[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}]\p{Script=Latin}/gu,
  /\p{Script=Cyrillic}\p{Script=Greek}|\p{Script=Greek}\p{Script=Cyrillic}/gu,
  // Half-width katakana, which Chinese and Korean bytes give.
  /[\uff61-\uff9f]/g,
];

function countOddities(text: string): number {
  return oddities.reduce((sum, oddity) => sum + (text.match(oddity)?.length ?? 0), 0);
}

/** True if Windows-1252 gives a certainly Western European text. */
export function isWestern(text: string): boolean {
  // `õ` before `e` is Portuguese; otherwise it is the Hungarian `ő`.
  return western.test(text) && !/[õÕ](?![eE])/.test(text) && countOddities(text) === 0;
}

/** True if the charset lacks characters for some bytes. */
export function hasUndefined(text: string): boolean {
  return /[\x80-\x9f\ufffd]/.test(text);
}

export function askEncoding(bytes: Uint8Array): Question {
  const sample = sampleOf(bytes);
  const read = candidates.flatMap(([name, region]) => {
    const text = charsetOf(name)?.decode(sample);
    if (text === undefined) return [];
    const example = /[^\s;,"<>|]{0,20}\P{ASCII}[^\r\n;,"<>|]{0,30}/u.exec(text)?.[0].trim() ?? '';
    const choice: Choice = { value: name, label: `${name} (${region})`, example };
    return [{ choice, text, odd: countOddities(text) }];
  });
  const distinct = read.filter(({ text }, i) => read.findIndex((other) => other.text === text) === i);
  return {
    code: 'encoding',
    message: 'The file does not say in which encoding its letters are. Which one reads them rightly?',
    choices: distinct.toSorted((a, b) => a.odd - b.odd).map(({ choice }) => choice),
    flag: '--encoding NAME',
  };
}

/** Lines with bytes beyond ASCII. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const sample: number[] = [];
  let start = 0;
  while (start < bytes.length && sample.length < SAMPLE) {
    const at = bytes.indexOf(0x0a, start);
    const end = at === -1 ? bytes.length : at + 1;
    const line = bytes.subarray(start, Math.min(end, start + SAMPLE));
    if (line.some((byte) => byte > 0x7f)) sample.push(...line);
    start = end;
  }
  return new Uint8Array(sample);
}
