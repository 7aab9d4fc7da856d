import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { createValueCounter } from '@finhook/contracts';
import { DomainError, type ParsedJson, parseJson, parseLongJson, truncate } from '@finhook/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';

export interface JsonBody extends ParsedJson {
  bytes: Uint8Array;
}

/** Five times the values of the largest valid input: many small values are slow to parse. */
const MAX_VALUES = 50_000;
/** Bytes. The default of 16 KiB takes twice the CPU time. */
const INFLATED_AT_ONCE = 64 * 1024;

export interface JsonBodyOptions {
  /** Counts the body as in transit until the returned function is called. */
  receive: () => () => void;
  bodyLimit: number;
}

function tooLarge(limit: number): DomainError {
  return new DomainError('body_too_large', {
    detail: `The body is larger than ${limit} bytes (after decompression). Send fewer rows per request.`,
    extra: { limit_bytes: limit },
  });
}

/** Fastify would reject an empty Content-Type first. */
export function leaveBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (raw.headers['content-type'] === '') delete raw.headers['content-type'];
    done();
  });
}

/** Accepts JSON in UTF-8, and bodies without a type. */
export function checkContentType(headers: IncomingHttpHeaders): void {
  const declared = headers['content-type'];
  if (declared === undefined) return;
  const [type = '', ...parameters] = declared
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice('charset='.length)
    .replaceAll('"', '');
  if (type === 'application/json' && (charset === undefined || charset === 'utf-8' || charset === 'utf8')) return;
  throw new DomainError('unsupported_media_type', {
    detail: `The body must be sent with Content-Type: application/json (UTF-8); got ${truncate(declared, 64)}.`,
  });
}

/** Undefined for an empty body. */
export async function receiveJson(
  payload: IncomingMessage,
  { receive, bodyLimit }: JsonBodyOptions,
): Promise<JsonBody | undefined> {
  checkContentType(payload.headers);
  const release = receive();
  try {
    const bytes = await readBody(payload, payload.headers, bodyLimit);
    return bytes.length === 0 ? undefined : { bytes, ...(await parseLongJson(decodeBody(bytes))) };
  } finally {
    release();
  }
}

export async function readSmallBody({ raw }: FastifyRequest, limit: number): Promise<JsonBody> {
  const bytes = await readBody(raw, raw.headers, limit);
  return { bytes, ...parseJson(decodeBody(bytes)) };
}

// The content type parsers return this.
export function receivedBody(request: FastifyRequest): JsonBody | undefined {
  return request.body as JsonBody | undefined;
}

function tooManyValues(): DomainError {
  return new DomainError('body_too_large', {
    detail: `The body holds more than ${MAX_VALUES} JSON values. Send fewer rows per request.`,
    extra: { limit_values: MAX_VALUES },
  });
}

/** Limits bytes and JSON values after gzip decompression, and leaves the rest of the stream unread. */
export async function readBody(stream: Readable, headers: IncomingHttpHeaders, limit: number): Promise<Buffer> {
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new DomainError('unsupported_media_type', {
      detail: `Content-Encoding may be gzip or absent; got ${truncate(encoding, 64)}.`,
    });
  }
  const source = encoding === 'gzip' ? inflate(stream) : stream;
  const chunks: Buffer[] = [];
  const countValues = createValueCounter();
  let counted = 0;
  let size = 0;
  try {
    // Destroying the request would close the connection of the response.
    for await (const chunk of bytesOf(source.iterator({ destroyOnReturn: source !== stream }))) {
      size += chunk.length;
      if (size > limit) throw tooLarge(limit);
      chunks.push(chunk);
      // A value takes a byte at least.
      if (size <= MAX_VALUES) continue;
      for (const uncounted of chunks.slice(counted)) if (countValues(uncounted) > MAX_VALUES) throw tooManyValues();
      counted = chunks.length;
    }
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new DomainError('malformed_body', { detail: 'The body ended early or is not valid gzip.', cause: error });
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

function bytesOf(chunks: AsyncIterable<unknown>): AsyncIterable<Buffer> {
  return chunks as AsyncIterable<Buffer>;
}

// `pipe` does not forward errors, and `pipeline` would close the connection that the error response needs.
function inflate(stream: Readable): Readable {
  const gunzip = createGunzip({ chunkSize: INFLATED_AT_ONCE });
  stream.once('error', (error) => gunzip.destroy(error));
  return stream.pipe(gunzip);
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Drops a byte order mark. Throws `malformed_body` for invalid UTF-8. */
export function decodeBody(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new DomainError('malformed_body', { detail: 'The body is not valid UTF-8.' });
  }
}
