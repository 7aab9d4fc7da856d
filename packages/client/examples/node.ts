import type { IncomingMessage, RequestListener } from 'node:http';
import { parseWebhook, type ReceivedEvent } from '@finhook/client';

const maxBytes = 4 * 1024 * 1024;

/** Plain Node: `createServer(webhookListener(secret, store)).listen(4000)`. */
export function webhookListener(secret: string, store: (event: ReceivedEvent) => Promise<void>): RequestListener {
  const receive = async (request: IncomingMessage): Promise<[status: number, reason?: string]> => {
    const body = await readBytes(request);
    if (body === undefined) return [413];
    const result = await parseWebhook({ body, headers: request.headers, secret });
    if (!result.ok) return [400, result.reason];
    await store(result.event);
    return [204];
  };
  return (request, response) => {
    receive(request).then(
      ([status, reason]) => response.writeHead(status).end(reason),
      () => response.writeHead(500).end(), // not stored: the delivery is retried
    );
  };
}

async function readBytes(request: AsyncIterable<Uint8Array>): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
