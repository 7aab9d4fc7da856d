import { type IncomingMessage, request } from 'node:http';

/** One block of a stream of server-sent events, comments included. */
export interface StreamBlock {
  event?: string;
  id?: string;
  data?: string;
  retry?: string;
  comment?: string;
}

export interface EventStream {
  response: IncomingMessage;
  /** The next block; undefined at the end or a cut of the stream. */
  next(): Promise<StreamBlock | undefined>;
  /** The next block of this event; throws if the stream ends first. */
  nextOf(event: string): Promise<StreamBlock>;
  /** Disconnects. */
  destroy(): void;
}

/** Sends a GET and resolves with the response's head. */
export async function openEventStream(url: string, headers: Record<string, string>): Promise<EventStream> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const outgoing = request(url, { headers, agent: false }, resolve);
  outgoing.on('error', reject);
  outgoing.end();
  const response = await promise;
  const blocks = readBlocks(response);
  const next = async () => (await blocks.next()).value ?? undefined;
  return {
    response,
    next,
    async nextOf(event) {
      for (;;) {
        const block = await next();
        if (block === undefined) throw new Error(`The stream ended before "${event}".`);
        if (block.event === event) return block;
      }
    },
    destroy: () => void response.destroy(),
  };
}

async function* readBlocks(response: IncomingMessage): AsyncGenerator<StreamBlock, undefined, undefined> {
  response.setEncoding('utf8');
  let text = '';
  try {
    for await (const chunk of response) {
      text += String(chunk);
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        yield parseBlock(text.slice(0, end));
        text = text.slice(end + 2);
      }
    }
  } catch {
    // The connection was cut: an incomplete block is dropped.
  }
  return undefined;
}

function parseBlock(text: string): StreamBlock {
  const fields = text.split('\n').map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon) || 'comment', line.slice(colon + 1).trim()] as const;
  });
  return Object.fromEntries(fields);
}
