import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { DomainError } from '../../../verbs/domain-error.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARS = 30;
const CHECK_CHARS = 6;
export const CELL_NAME = '[a-z][a-z0-9]{0,11}';
const FORM = new RegExp(`^sk_(?:live|test)_(?:${CELL_NAME}_)?[0-9A-Za-z]{${RANDOM_CHARS + CHECK_CHARS}}$`);

function checksum(text: string): string {
  let rest = crc32(text);
  let out = '';
  for (let i = 0; i < CHECK_CHARS; i++) {
    out = BASE62.charAt(rest % 62) + out;
    rest = Math.floor(rest / 62);
  }
  return out;
}

/** Ends with a CRC-32 in base62, so that scanners and the service detect a typo without a look-up. */
export function generateKey(mode: 'live' | 'test', cell = ''): string {
  let body = keyStart(mode, cell);
  for (let i = 0; i < RANDOM_CHARS; i++) body += BASE62.charAt(randomInt(62));
  return body + checksum(body);
}

function keyStart(mode: 'live' | 'test', cell: string): string {
  return cell === '' ? `sk_${mode}_` : `sk_${mode}_${cell}_`;
}

const PREFIX = new RegExp(`^sk_(?:live|test)_(?:${CELL_NAME}_)?[0-9A-Za-z]{4}`);

/** Shown in lists: the part before the random characters, and four of those. */
export function prefixOf(key: string): string {
  return PREFIX.exec(key)?.[0] ?? '';
}

export function isWellFormedKey(key: string): boolean {
  return FORM.test(key) && checksum(key.slice(0, -CHECK_CHARS)) === key.slice(-CHECK_CHARS);
}

/** SHA-256 of the pepper and the key; only this is stored. */
export function hashKey(key: string, pepper: Uint8Array): Buffer {
  return createHash('sha256').update(pepper).update(key).digest();
}

const NAMED_KEY = new RegExp(`^sk_(?:live|test)_(${CELL_NAME})_`);
const NAMED_TOKEN = new RegExp(`^(${CELL_NAME})\\.[A-Za-z0-9_-]{43}$`);

const WHOLE_NAME = new RegExp(`^${CELL_NAME}$`);

export function isCellName(text: string): boolean {
  return WHOLE_NAME.test(text);
}

/** The cell named by an API key or by the token of a session, link or login, if any. */
export function cellOf(credential: string): string | undefined {
  const [, ofKey] = NAMED_KEY.exec(credential) ?? [];
  if (ofKey !== undefined) return isWellFormedKey(credential) ? ofKey : undefined;
  return NAMED_TOKEN.exec(credential)?.[1];
}

export function wrongCell(cell: string): DomainError {
  return new DomainError('wrong_cell', {
    detail: `The account of this request is in the cell ${cell}. Send the request there, or to the proxy in front of all cells.`,
    extra: { cell },
  });
}
