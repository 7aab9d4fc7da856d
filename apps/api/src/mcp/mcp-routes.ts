import { isRecord } from '@finhook/contracts';
import { DomainError } from '@finhook/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acquireUntilClosed, callerOf, type IdentifyCaller, receiveBody } from '../auth/caller.ts';
import type { RateLimits } from '../auth/rate-limits.ts';
import { type JsonBody, receivedBody } from '../http/read-body.ts';
import { idempotencyOf } from '../http/request.ts';
import type { TableEntry } from '../operations/operation-table.ts';
import type { McpCall } from './mcp-call.ts';
import type { ServeMessage } from './serve-message.ts';

export interface McpOptions {
  table: readonly TableEntry[];
  identify: IdentifyCaller;
  limits: Pick<RateLimits, 'acquire' | 'receive'>;
  bodyLimit: number;
  onError: (error: unknown, requestId: string) => void;
}

/** MCP over streamable HTTP, without sessions and streams: one message per POST, with an API key. */
export function registerMcpRoutes(
  app: FastifyInstance,
  { table, identify, limits, bodyLimit, onError }: McpOptions,
): void {
  const serve = createLazyServer(table);
  app.addContentTypeParser('*', async (request: FastifyRequest) => receiveBody(request, limits, bodyLimit));
  app.route({
    method: 'POST',
    url: '',
    config: { operation: 'mcp', protocol: 'mcp' },
    onRequest: async (request, reply) => {
      rejectPages(request);
      await identify(request, reply);
    },
    handler: async (request, reply) => {
      const context = callerOf(request);
      const { value, inexact } = messageOf(request);
      const release = await acquireUntilClosed(limits, context.accountId, reply);
      const call = {
        context,
        inexact,
        onReplay: idempotencyOf(reply).onReplay,
        ...watchCall(request),
        onError: (error: unknown) => onError(error, request.id),
      };
      return serve(value, protocolHeaders(request), call)
        .then((response) => send(reply, response))
        .finally(release);
    },
  });
}

/** For request log and metrics. */
function watchCall(request: FastifyRequest): Pick<McpCall, 'onCall' | 'onProblem'> {
  return {
    onCall: (operation, idempotencyKey) => void (request.called = { operation, idempotencyKey }),
    onProblem({ code, status }) {
      request.problemCode = code;
      if (request.called) request.called.status = status;
    },
  };
}

/** Loads the SDK, 50 ms and 27 MB, with the first message. */
function createLazyServer(table: readonly TableEntry[]): ServeMessage {
  let loaded: Promise<ServeMessage> | undefined;
  const load = async (): Promise<ServeMessage> => (await import('./serve-message.ts')).createMessageServer(table);
  return async (...message) => {
    loaded ??= load();
    return (await loaded)(...message);
  };
}

/** Only browsers send Origin. It proves nothing here: after DNS rebinding Origin and Host are both of the attacker. */
function rejectPages({ headers }: FastifyRequest): void {
  if (headers.origin === undefined) return;
  throw new DomainError('csrf_failed', {
    detail: 'Web pages may not call /mcp: send the request from a program, without an Origin header.',
  });
}

/** The protocol has no batches since 2025-06-18. */
function messageOf(request: FastifyRequest): JsonBody {
  const body = receivedBody(request);
  if (body && isRecord(body.value)) return body;
  throw new DomainError('malformed_body', { detail: 'The body must be one JSON-RPC message, not empty and no batch.' });
}

function protocolHeaders({ headers }: FastifyRequest): Record<string, string> {
  const known = Object.entries(headers).filter(([name]) => name === 'accept' || name.startsWith('mcp-'));
  return Object.fromEntries(known.map(([name, value]) => [name, String(value)]));
}

async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const type = response.headers.get('content-type');
  if (type !== null) reply.header('content-type', type);
  return reply.code(response.status).send(await response.text());
}
