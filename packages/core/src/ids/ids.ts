import { randomFillSync } from 'node:crypto';
import type { IdPrefix as RecordPrefix } from '@finhook/contracts';
import type { Clock } from '../time/clock.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const RANDOM_CHARS = 16;

/** Of records, and of processes, which have no record on the wire. */
export type IdPrefix = RecordPrefix | 'proc';

/** Creates ids that sort by time: `prefix_` and 26 lower-case Crockford base32 characters (ULID layout). */
export type NewId = (prefix: IdPrefix) => string;

/** The first ten characters of an id created at `ms` (milliseconds since the epoch): its sortable part. */
export function idTime(ms: number): string {
  let rest = ms;
  let text = '';
  for (let i = 0; i < 10; i++) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** An id's creation time, in milliseconds since the epoch; NaN for ids of another form. */
export function readIdTime(id: string): number {
  let ms = 0;
  for (const char of id.slice(id.indexOf('_') + 1).slice(0, 10)) {
    const digit = ALPHABET.indexOf(char);
    ms = digit === -1 ? Number.NaN : ms * 32 + digit;
  }
  return ms;
}

/**
 * An id source. The ten characters of time are followed by a counter per prefix and millisecond (five bits, so that ids
 * of one process rise strictly up to 32 a millisecond), then 75 random bits. It does not follow a clock that steps
 * back.
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

/**
 * SQL for the character after an id's time: it keeps up to 31 ids of one millisecond in the order of `number`, from 1.
 */
export function sqlOrderedChar(number: string): string {
  return `substr('${ALPHABET}', (${number})::int, 1)`;
}

/**
 * SQL for the random part of an id (80 bits): 96 bits of two UUIDs as base64, two of its 64 characters to each of our
 * 32.
 */
export const sqlRandomIdPart =
  "translate(encode(substring(uuid_send(gen_random_uuid()) for 6) || substring(uuid_send(gen_random_uuid()) for 6), 'base64'), " +
  `'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', '${ALPHABET}${ALPHABET}')`;
