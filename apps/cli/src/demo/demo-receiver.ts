import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { reasonOf } from '../reason-of.ts';

interface LoopbackServer {
  url: string;
  close: () => Promise<void>;
}

export async function startLoopbackServer(listener: RequestListener): Promise<LoopbackServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const MAX_AGE_SECONDS = 300;
const POLL_MS = 50;
const envelope = z.object({ id: z.string(), type: z.string(), created_at: z.string() });

interface ReceivedEvent {
  id: string;
  type: string;
  latencyMs: number;
}

export interface DemoReceiver {
  url: string;
  events: ReadonlyMap<string, ReceivedEvent>;
  has: (type: string) => boolean;
  deliveries: () => number;
  rejected: readonly string[];
  useSecret: (secret: string) => void;
  waitFor: (isEnough: () => boolean, timeoutMs: number) => Promise<void>;
  close: () => Promise<void>;
}

/** The documented five-line recipe: `x-service-signature: t=…,v1=…`, HMAC-SHA256 over `<t>.<body>`. */
function verifyByRecipe(header: string, body: Buffer, secret: string): boolean {
  const [t = '', signature = ''] = header.split(',').map((part) => part.slice(part.indexOf('=') + 1));
  const expected = createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex');
  const same = signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected));
  return same && Date.now() / 1000 - Number(t) <= MAX_AGE_SECONDS;
}

function textHeader(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : '';
}

/** A customer's receiver. It verifies every signature in two ways. */
export async function startDemoReceiver(): Promise<DemoReceiver> {
  const events = new Map<string, ReceivedEvent>();
  const rejected: string[] = [];
  let deliveries = 0;
  let secret = '';

  function accept(request: IncomingMessage, body: Buffer): void {
    const receivedAt = Date.now();
    if (!verifyByRecipe(textHeader(request, 'x-service-signature'), body, secret))
      throw new Error('x-service-signature');
    const headers = Object.fromEntries(
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, textHeader(request, name)]),
    );
    new Webhook(secret).verify(body.toString('utf8'), headers);
    const event = envelope.parse(JSON.parse(body.toString('utf8')));
    deliveries++;
    if (events.has(event.id)) return;
    const latencyMs = receivedAt - Date.parse(event.created_at);
    events.set(event.id, { id: event.id, type: event.type, latencyMs });
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      accept(request, await buffer(request));
      response.writeHead(204).end();
    } catch (error) {
      rejected.push(reasonOf(error));
      response.writeHead(400).end();
    }
  }

  const server = await startLoopbackServer((request, response) => void respond(request, response));
  return {
    url: `${server.url}/webhooks`,
    events,
    has: (type) => [...events.values()].some((event) => event.type === type),
    deliveries: () => deliveries,
    rejected,
    useSecret(value) {
      secret = value;
    },
    async waitFor(isEnough, timeoutMs) {
      const deadline = Date.now() + timeoutMs;
      while (!isEnough() && Date.now() < deadline) await delay(POLL_MS);
    },
    close: server.close,
  };
}
