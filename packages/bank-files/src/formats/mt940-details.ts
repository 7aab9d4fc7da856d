import type { RawTransaction } from '../statement.ts';
import { toSingleLine } from '../values.ts';

type Details = Pick<RawTransaction, 'description' | 'counterparty'>;

const POLISH_LINE = 27;

/** Reads purpose and counterparty of field 86: in German, Polish or Dutch structure, or unstructured. */
export function describe(lines: readonly string[], fallback: string): Details {
  const text = lines.join('');
  const mark = /^(?:\d{3}){1,2}([?>+|<~^])\d\d/.exec(text)?.[1];
  if (mark !== undefined) return describeNumbered(text, mark, fallback);
  const dutch = describeDutch(text);
  const plain = toSingleLine(lines.join(' '), 2000);
  return { description: dutch.description || plain || fallback, counterparty: dutch.counterparty };
}

/** Subfields of a mark and two digits: `?20` in Germany, `<20`, `~20` and `^20` in Poland. */
function describeNumbered(text: string, mark: string, fallback: string): Details {
  const parts = text
    .split(mark)
    .slice(1)
    .map((part) => [Number(part.slice(0, 2)), part.slice(2)] as const);
  const between = (from: number, to: number): string[] =>
    parts.filter(([code]) => code >= from && code <= to).map(([, value]) => value);
  const isPolish = /[<~^]/.test(mark);
  const purpose = isPolish ? joinWords(between(20, 26)) : [...between(20, 29), ...between(60, 63)].join('');
  const name =
    toSingleLine(between(32, 33).join(''), 255) || (isPolish ? toSingleLine(between(27, 27).join(''), 255) : '');
  return {
    description: toSingleLine(purpose, 2000) || toSingleLine(between(0, 0).join(''), 2000) || fallback,
    counterparty: name || undefined,
  };
}

/** A full line continues within a word, a shorter one ends with it. */
function joinWords(lines: readonly string[]): string {
  return lines.map((line) => (line.length < POLISH_LINE ? `${line} ` : line)).join('');
}

/** Dutch banks. Other slashes are text. */
const codeWord =
  /\/(ACCW|ADDR|BENM|BIC|BO|BRCH|CDTRREFTP|CHGS|CNTP|CSID|EREF|EXCH|IBAN|ID|INIT|ISDT|KREF|MARF|NAME|NRTX|OCMT|ORDP|PREF|PURP|REMI|RTRN|SVCL|SWCH|TRCD|TRTP|ULTB|ULTC|ULTD)\//g;

/** Words about a party. */
const partyWords: ReadonlySet<string> = new Set(['ADDR', 'BO', 'ID', 'NAME']);

/** Inside the purpose, a repeated word is text, and so is one about a party if a party was named. */
function codeWordsOf(text: string): RegExpExecArray[] {
  const words: RegExpExecArray[] = [];
  const seen = new Set<string>();
  for (const found of text.matchAll(codeWord)) {
    const [, word = ''] = found;
    if (words.length === 0 && /\p{L}/u.test(text.slice(0, found.index))) return [];
    const isNamed = seen.has('NAME') || seen.has('CNTP');
    const isText = words.at(-1)?.[1] === 'REMI' && (seen.has(word) || (isNamed && partyWords.has(word)));
    if (!isText) words.push(found);
    seen.add(word);
  }
  return words;
}

function describeDutch(text: string): Partial<Details> {
  const words = codeWordsOf(text);
  const found = new Map<string, string>();
  for (const [i, { 0: all, 1: word = '', index }] of words.entries()) {
    const value = text.slice(index + all.length, words[i + 1]?.index);
    if (!found.has(word) && value.trim() !== '') found.set(word, value);
  }
  const purpose = (found.get('REMI') ?? '').replace(/^(?:USTD\/{1,2}|STRD\/(?:(?:CUR|ISO)\/)?)/, '');
  const name = found.get('NAME') ?? nameOf(found.get('CNTP') ?? '');
  // Without another text, the kind of transaction is the description.
  const kind = text.startsWith('/TRTP/') ? (found.get('TRTP') ?? '') : '';
  return {
    description: toSingleLine(withoutSlashes(purpose), 2000) || toSingleLine(withoutSlashes(kind), 2000),
    counterparty: toSingleLine(withoutSlashes(name), 255) || undefined,
  };
}

function withoutSlashes(text: string): string {
  return text.trim().replace(/\/{1,9}$/, '');
}

/** The name in `ACCOUNT/BIC/NAME/CITY/`. */
function nameOf(counterparty: string): string {
  const parts = counterparty.replace(/\/$/, '').split('/');
  return parts.length > 3 ? parts.slice(2, -1).join('/') : (parts[2] ?? '');
}
