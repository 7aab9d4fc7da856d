import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { DomainError, type ParsedJson, parseBody, shorten } from '@finhook/core';
import type { FastifyInstance } from 'fastify';
import type { RateLimits } from '../limits/rate-limits.ts';

/** A JSON body with its bytes, for the idempotency fingerprint. */
export interface JsonBody extends ParsedJson {
  bytes: Uint8Array;
}

export interface JsonBodyOptions {
  accountId: string;
  limits: Pick<RateLimits, 'receive'>;
  bodyLimit: number;
}

function tooLarge(limit: number): DomainError {
  return new DomainError('body_too_large', {
    detail: `The body is larger than ${limit} bytes (after decompression). Send fewer rows per request.`,
    extra: { limit_bytes: limit },
  });
}

/**
 * Leaves bodies to the surfaces, which read them by rules of their own: what is at no path reads none. An empty
 * Content-Type is none, and the framework would refuse it before `checkContentType` is asked.
 */
export function leaveBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (raw.headers['content-type'] === '') delete raw.headers['content-type'];
    done();
  });
}

/** Throws `unsupported_media_type` unless the body is declared as JSON in UTF-8, or not declared at all. */
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
    detail: `The body must be sent with Content-Type: application/json (UTF-8); got ${shorten(declared, 64)}.`,
  });
}

/** Reads and parses the body of an account's request; undefined for an empty one. It counts as in transit until it is parsed. */
export async function receiveJson(
  payload: IncomingMessage,
  { accountId, limits, bodyLimit }: JsonBodyOptions,
): Promise<JsonBody | undefined> {
  checkContentType(payload.headers);
  const leave = limits.receive(accountId);
  try {
    const bytes = await readBody(payload, payload.headers, bodyLimit);
    return bytes.length === 0 ? undefined : { bytes, ...(await parseBody(decodeBody(bytes))) };
  } finally {
    leave();
  }
}

/**
 * Reads a body of at most `limit` bytes. gzip is undone, and the limit holds for what comes out, so that a small bomb
 * stops as early as a large body. The stream is left unread beyond the limit.
 */
export async function readBody(stream: Readable, headers: IncomingHttpHeaders, limit: number): Promise<Buffer> {
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new DomainError('unsupported_media_type', {
      detail: `Content-Encoding may be gzip or absent; got ${shorten(encoding, 64)}.`,
    });
  }
  const source = encoding === 'gzip' ? inflate(stream) : stream;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Destroying the request would close the connection that the response goes out on.
    for await (const chunk of bytesOf(source.iterator({ destroyOnReturn: source !== stream }))) {
      size += chunk.length;
      if (size > limit) throw tooLarge(limit);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw new DomainError('malformed_body', { detail: 'The body ended early or is not valid gzip.', cause: error });
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

// A stream that is read without an encoding gives buffers.
function bytesOf(chunks: AsyncIterable<unknown>): AsyncIterable<Buffer> {
  return chunks as AsyncIterable<Buffer>;
}

// `pipe` does not tell the other end of a failure, and `pipeline` would close the connection that a refusal goes out on.
function inflate(stream: Readable): Readable {
  const gunzip = createGunzip();
  stream.once('error', (error) => gunzip.destroy(error));
  return stream.pipe(gunzip);
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The text of a body; a byte order mark is dropped. Throws `malformed_body` when the bytes are not UTF-8. */
export function decodeBody(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new DomainError('malformed_body', { detail: 'The body is not valid UTF-8.' });
  }
}
