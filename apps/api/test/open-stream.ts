import { type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';

/** A response that is read on demand. */
export interface OpenStream {
  response: IncomingMessage;
  /** The next line; undefined at the end. Throws if the connection was cut. */
  nextLine(): Promise<string | undefined>;
  /** The remaining lines. */
  rest(): Promise<string[]>;
  /** Disconnects. */
  destroy(): void;
}

/** Sends a GET and resolves with the response before its body is read. */
export async function openStream(url: string, key: string): Promise<OpenStream> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const outgoing = request(url, { headers: { authorization: `Bearer ${key}` }, agent: false }, resolve);
  outgoing.on('error', reject);
  outgoing.end();
  const response = await promise;
  let reading: ReturnType<typeof readLines> | undefined;
  const lines = () => (reading ??= readLines(response));
  return {
    response,
    nextLine: async () => {
      const next = await lines().next();
      return next.done ? undefined : next.value;
    },
    rest: async () => {
      const left: string[] = [];
      for await (const line of lines()) left.push(line);
      return left;
    },
    destroy: () => void response.destroy(),
  };
}

async function* readLines(response: IncomingMessage): AsyncGenerator<string, undefined, undefined> {
  let failure: Error | undefined;
  response.on('error', (error) => (failure = error));
  for await (const line of createInterface({ input: response })) yield line;
  if (failure) throw failure;
  return undefined;
}
