import { brotliDecompressSync, constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import type { RawHeaders } from '../http1/response-head.ts';
import { type Redact, redactText } from './redact-text.ts';

const maxHeaders = 32;
const maxValueLength = 256;
/** Longer than what is kept, so that a secret across the truncation is complete when it is redacted. */
const maxKeptLength = 8 * 1024;

// Hop-by-hop headers, and headers with secrets.
const dropped: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'set-cookie',
  'authorization',
  'proxy-authorization',
  'proxy-authenticate',
  'www-authenticate',
]);

// Without a prototype, a header named __proto__ is plain data.
function emptyRecord(): Record<string, string> {
  return Object.create(null) as Record<string, string>;
}

/** Keeps at most 32 headers, always `retry-after`; values are redacted and truncated to 256 characters. */
export function responseHeaders(headers: RawHeaders, redact: Redact = redactText): Record<string, string> {
  const kept = emptyRecord();
  let count = 0;
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i] ?? '';
    if (dropped.has(name)) continue;
    const value = textOf(headers[i + 1] ?? '');
    const before = kept[name];
    if (before !== undefined) {
      if (before.length < maxKeptLength) kept[name] = `${before}, ${value}`;
    } else if (count < maxHeaders || name === 'retry-after') {
      kept[name] = value;
      count += 1;
    }
  }
  // Truncation first could leave the start of a secret.
  for (const name in kept) kept[name] = redact(kept[name] ?? '').slice(0, maxValueLength);
  return kept;
}

function valueOf(headers: RawHeaders, name: string): string {
  for (let i = 0; i < headers.length; i += 2) if (headers[i] === name) return headers[i + 1] ?? '';
  return '';
}

// Header values are ASCII by the standard, UTF-8 or latin1 in practice.
const beyondAscii = /[\x80-\xff]/;

function textOf(latin1: string): string {
  if (!beyondAscii.test(latin1)) return latin1;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(latin1, 'latin1'));
  } catch {
    return latin1;
  }
}

export type BodyForm = {
  /** In lower case; empty for none. */
  readonly coding: string;
  readonly type: string;
  readonly isError: boolean;
};

export function bodyFormOf(statusCode: number, headers: RawHeaders): BodyForm {
  const coding = valueOf(headers, 'content-encoding').toLowerCase();
  const isError = statusCode < 200 || statusCode > 299;
  return { coding: coding === 'identity' ? '' : coding, type: valueOf(headers, 'content-type'), isError };
}

// Control characters except tab and newline (PostgreSQL rejects NUL), and marks that reorder text.
const unprintable = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** The start of a body as printable, redacted UTF-8. Compressed bodies are unpacked for errors only. */
export function bodySnippet(
  bytes: Uint8Array,
  form: BodyForm | undefined,
  maxBytes: number,
  redact: Redact = redactText,
): string {
  if (bytes.length === 0) return '';
  let plain: Uint8Array | undefined = bytes;
  if (form !== undefined && form.coding !== '') plain = form.isError ? unpack(bytes, form.coding) : undefined;
  if (plain === undefined) return '[compressed response body]';
  const text = redact(decode(plain, charsetOf(form)).replace(unprintable, ''));
  return text.length * 3 <= maxBytes ? text : truncate(text, maxBytes);
}

const maxUnpackedBytes = 8 * 1024;
const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxUnpackedBytes };
const brotliOptions = { finishFlush: constants.BROTLI_OPERATION_FLUSH, maxOutputLength: maxUnpackedBytes };

type Unpack = (bytes: Uint8Array) => Uint8Array;
const codings: ReadonlyMap<string, readonly Unpack[]> = new Map<string, readonly Unpack[]>([
  ['gzip', [(bytes) => gunzipSync(bytes, options)]],
  ['x-gzip', [(bytes) => gunzipSync(bytes, options)]],
  // Some send the zlib format, some the raw one.
  ['deflate', [(bytes) => inflateSync(bytes, options), (bytes) => inflateRawSync(bytes, options)]],
  ['br', [(bytes) => brotliDecompressSync(bytes, brotliOptions)]],
]);

/** Returns uncompressed text as it is, even if its header says otherwise. */
function unpack(bytes: Uint8Array, coding: string): Uint8Array | undefined {
  for (const one of codings.get(coding) ?? []) {
    const start = longestStart(bytes, one);
    if (start !== undefined) return start;
  }
  return isText(bytes) ? bytes : undefined;
}

/** Unpacks as much as fits, in time bounded by the largest output. */
function longestStart(bytes: Uint8Array, unpackAll: Unpack): Uint8Array | undefined {
  let best: Uint8Array | undefined;
  let low = 0;
  let high = bytes.length;
  for (let length = high; low < high; length = Math.ceil((low + high) / 2)) {
    try {
      best = unpackAll(bytes.subarray(0, length));
      low = length;
    } catch (error) {
      if (!(error instanceof RangeError)) return best;
      high = length - 1;
    }
  }
  return best;
}

function isText(bytes: Uint8Array): boolean {
  return !/[^\P{Cc}\t\n\r]|\ufffd/u.test(decode(bytes, 'utf-8'));
}

function charsetOf(form: BodyForm | undefined): string {
  return /;\s*charset\s*=\s*"?([\w.:+-]{1,40})/i.exec(form?.type ?? '')?.[1] ?? 'utf-8';
}

function truncate(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text);
  return bytes.length <= maxBytes ? text : decode(bytes.subarray(0, maxBytes), 'utf-8');
}

// `stream` drops a truncated last character instead of adding U+FFFD.
function decode(bytes: Uint8Array, charset: string): string {
  return decoderOf(charset).decode(bytes, { stream: true });
}

function decoderOf(charset: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
