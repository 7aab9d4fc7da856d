import type { Core, RequestEntry, RequestLog } from '@finhook/core';
import { maskText } from '@finhook/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathOf } from './request.ts';
import { type NameRequest, statusOf } from './request-telemetry.ts';

const MAX_TEXT = 500;

interface NoteOptions {
  log: Pick<RequestLog, 'note'>;
  clock: Core['clock'];
  nameOf: NameRequest;
}

/** Masks first: half a secret is not recognized. */
function textOf(text: string): string {
  return maskText(text).slice(0, MAX_TEXT);
}

export function noteRequests(app: FastifyInstance, { log, clock, nameOf }: NoteOptions): void {
  const entryOf = (
    request: FastifyRequest,
    reply: FastifyReply,
    { accountId, keyId }: NonNullable<FastifyRequest['caller']>,
  ): RequestEntry => {
    const { elapsedTime } = reply;
    const { called } = request;
    const named = nameOf(request);
    const operation = called?.operation ?? named.operation;
    const key = called?.idempotencyKey ?? request.headers['idempotency-key'];
    const status = statusOf(reply);
    return {
      id: request.id,
      account_id: accountId,
      created_at: new Date(clock.now().getTime() - elapsedTime).toISOString(),
      method: request.method,
      path: textOf(pathOf(request)),
      operation: named.protocol === 'other' || !operation.includes('.') ? null : operation,
      status: status === 200 ? (called?.status ?? status) : status,
      code: request.problemCode ?? null,
      duration_ms: Math.round(elapsedTime * 10) / 10,
      key_id: keyId,
      ip: request.ip,
      user_agent: request.headers['user-agent'] === undefined ? null : textOf(request.headers['user-agent']),
      idempotency_key: typeof key === 'string' ? textOf(key) : null,
      idempotency_replayed: reply.hasHeader('idempotency-replayed'),
    };
  };
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.once('close', () => {
      const { caller } = request;
      const isDashboard = caller?.sessionId !== undefined || pathOf(request).startsWith('/dashboard/');
      if (caller !== undefined && !isDashboard) log.note(entryOf(request, reply, caller));
    });
  });
}
