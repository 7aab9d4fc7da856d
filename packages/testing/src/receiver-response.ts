import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export interface ReceivedRequest {
  readonly method: string;
  /** With the query, as sent. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values alternate, in the sender's case and order. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly receivedAt: Date;
}

export interface ReceiverResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly delayMs?: number;
  readonly dripMs?: number;
  /** reset: resets the connection; hang: never responds. */
  readonly fault?: 'reset' | 'hang';
}

/** Stops without an error when the sender disconnects or the receiver closes. */
export async function sendResponse(
  reply: ServerResponse,
  response: ReceiverResponse,
  closed: AbortSignal,
): Promise<void> {
  if (response.delayMs !== undefined) await delay(response.delayMs, undefined, { signal: closed });
  if (response.fault === 'hang') return;
  if (response.fault === 'reset') return void reply.socket?.resetAndDestroy();
  const body = Buffer.from(response.body ?? '');
  reply.writeHead(response.status ?? 200, { 'content-length': body.length, ...response.headers });
  if (response.dripMs === undefined) return void reply.end(body);
  reply.flushHeaders();
  for (const byte of body) {
    if (reply.destroyed) return;
    reply.write(Uint8Array.of(byte));
    await delay(response.dripMs, undefined, { signal: closed });
  }
  reply.end();
}
