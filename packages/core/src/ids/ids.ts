import { randomFillSync } from 'node:crypto';
import type { IdPrefix as RecordPrefix } from '@finhook/contracts';
import type { Clock } from '../time/clock.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const RANDOM_CHARS = 16;

/** Prefixes of records, and of processes, which have no record in the API. */
export type IdPrefix = RecordPrefix | 'proc';

/** Creates ids that sort by time: `prefix_` and 26 lower-case Crockford base32 characters (ULID layout). */
export type NewId = (prefix: IdPrefix) => string;

/** The sortable first ten characters of ids created at `ms` since the epoch. */
export function idTime(ms: number): string {
  let rest = ms;
  let text = '';
  for (let i = 0; i < 10; i++) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** Creation time in ms since the epoch; NaN for malformed ids. */
export function readIdTime(id: string): number {
  let ms = 0;
  for (const char of id.slice(id.indexOf('_') + 1).slice(0, 10)) {
    const digit = ALPHABET.indexOf(char);
    ms = digit === -1 ? Number.NaN : ms * 32 + digit;
  }
  return ms;
}

/**
 * Layout: ten characters of time, a five-bit counter per prefix and millisecond, 75 random bits. Ids of one process are
 * strictly increasing for up to 32 per millisecond, even when the clock steps back.
 */
export function createIdSource(clock: Clock, fill: (bytes: Uint8Array) => void = randomFillSync): NewId {
  const pool = new Uint8Array(RANDOM_CHARS * 256);
  const counters = new Map<IdPrefix, { ms: number; count: number }>();
  let used = pool.length;
  let lastMs = -1;
  let time = '';

  function randomPart(): string {
    if (used === pool.length) {
      fill(pool);
      used = 0;
    }
    let text = '';
    for (let i = 1; i < RANDOM_CHARS; i++) text += ALPHABET.charAt((pool[used + i] ?? 0) & 31);
    used += RANDOM_CHARS;
    return text;
  }

  return (prefix) => {
    const ms = clock.now().getTime();
    if (ms > lastMs) {
      lastMs = ms;
      time = idTime(ms);
    }
    const counter = counters.get(prefix);
    const count = counter?.ms === lastMs ? Math.min(counter.count + 1, 31) : 0;
    counters.set(prefix, { ms: lastMs, count });
    return `${prefix}_${time}${ALPHABET.charAt(count)}${randomPart()}`;
  };
}

/** SQL for the counter of an id: keeps up to 31 ids of one millisecond in the order of `number`, from 1. */
export function sqlOrderedChar(number: string): string {
  return `substr('${ALPHABET}', (${number})::int, 1)`;
}

/**
 * SQL for the 80 random bits of an id: 96 bits of two UUIDs in base64, each pair of characters mapped to one of 32.
 */
export const sqlRandomIdPart =
  "translate(encode(substring(uuid_send(gen_random_uuid()) for 6) || substring(uuid_send(gen_random_uuid()) for 6), 'base64'), " +
  `'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', '${ALPHABET}${ALPHABET}')`;
