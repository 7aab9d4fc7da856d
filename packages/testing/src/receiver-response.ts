import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export interface ReceivedRequest {
  readonly method: string;
  /** Path with query, as sent. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, with the sender's letter case and order. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly receivedAt: Date;
}

/** What the receiver answers; an empty object is a 200 at once. */
export interface ReceiverResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Milliseconds before anything is answered. */
  readonly delayMs?: number;
  /** Sends the body byte after byte with so many milliseconds between. */
  readonly dripMs?: number;
  /** reset: breaks the connection; hang: never answers, until the sender gives up or the receiver is closed. */
  readonly fault?: 'reset' | 'hang';
}

/** Writes the answer. Stops quietly when the sender goes away or the receiver is closed. */
export async function sendResponse(
  reply: ServerResponse,
  answer: ReceiverResponse,
  closed: AbortSignal,
): Promise<void> {
  if (answer.delayMs !== undefined) await delay(answer.delayMs, undefined, { signal: closed });
  if (answer.fault === 'hang') return;
  if (answer.fault === 'reset') return void reply.socket?.resetAndDestroy();
  const body = Buffer.from(answer.body ?? '');
  reply.writeHead(answer.status ?? 200, { 'content-length': body.length, ...answer.headers });
  if (answer.dripMs === undefined) return void reply.end(body);
  reply.flushHeaders();
  for (const byte of body) {
    if (reply.destroyed) return;
    reply.write(Uint8Array.of(byte));
    await delay(answer.dripMs, undefined, { signal: closed });
  }
  reply.end();
}
