import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Problem } from '@finhook/contracts';
import { DomainError } from '@finhook/core';
import type { Logger } from '@finhook/runtime';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { toProblem } from './problem.ts';

export interface ClientErrorHandlerOptions {
  newId: () => string;
  logger: Logger;
  headers: Readonly<Record<string, string>>;
}

export interface ClientErrorHandler {
  handle: (error: NodeJS.ErrnoException, socket: Socket) => void;
  /** Also makes checks that Node does not. */
  watch: (app: FastifyInstance) => void;
}

/** Closes the connection after the response, because the start of the next request is unknown. */
export function createClientErrorHandler({ newId, logger, headers }: ClientErrorHandlerOptions): ClientErrorHandler {
  const latest = new WeakMap<Socket, FastifyReply>();
  return {
    watch(app) {
      app.addHook('onRequest', (request, reply, done) => {
        latest.set(request.raw.socket, reply);
        const violation = protocolViolation(request.raw);
        done(violation === undefined ? undefined : unreadable(violation));
      });
      // An unknown expectation may be ignored (RFC 9110, 10.1.1).
      app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
    },
    handle(error, socket) {
      const reply = latest.get(socket);
      // The client would read a second response as part of the first.
      if (!socket.writable || (reply && hasBegun(reply))) {
        socket.destroy();
        return;
      }
      const domainError = domainErrorOf(error);
      const id = reply && isInFlight(reply) ? reply.request.id : newId();
      logger.info(
        { request_id: id, status: domainError.status, code: domainError.code },
        'a request could not be read',
      );
      socket.write(encodeResponse(toProblem(domainError, { id, path: '' }), headers));
      socket.destroySoon();
    },
  };
}

/** Rules of HTTP/1.1 that Node does not check (RFC 9112, 2.3, 3.2 and 6.1). */
function protocolViolation({ httpVersion, url = '', headers, headersDistinct }: IncomingMessage): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'its version must be HTTP/1.1 or HTTP/1.0';
  if (httpVersion === '1.1' && !headers.host) return 'it has no Host header';
  if ((headersDistinct['host'] ?? []).length > 1) return 'it has more than one Host header';
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
  if (authority !== undefined && authority.toLowerCase() !== headers.host?.toLowerCase())
    return 'the address of its target and its Host header differ';
  const coding = headers['transfer-encoding']?.toLowerCase() ?? 'chunked';
  return coding === 'chunked' ? undefined : 'its Transfer-Encoding must be chunked; Content-Encoding may be gzip';
}

function unreadable(reason: string): DomainError {
  return new DomainError('malformed_body', { detail: `The request cannot be read: ${reason}.` });
}

function encodeResponse(problem: Problem, headers: ClientErrorHandlerOptions['headers']): string {
  const body = JSON.stringify(problem);
  const lines = Object.entries({
    ...headers,
    'x-request-id': problem.request_id,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${problem.status} ${problem.title}\r\n${lines.join('')}\r\n${body}`;
}

function isInFlight({ raw }: FastifyReply): boolean {
  return !raw.closed || !raw.req.complete;
}

function hasBegun(reply: FastifyReply): boolean {
  return reply.raw.headersSent && isInFlight(reply);
}

function domainErrorOf(error: NodeJS.ErrnoException): DomainError {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    return new DomainError('headers_too_large', {
      detail: 'The URL and the headers together exceed the size limit. Send shorter filters.',
    });
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new DomainError('request_timeout', {
      detail: 'The request was not received completely within the time limit. Nothing was stored; send it again.',
    });
  }
  return new DomainError('malformed_body', { detail: 'The request cannot be read.', cause: error });
}
