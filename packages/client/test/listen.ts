import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';

export interface Listening {
  /** Base URL without a slash at its end. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

export async function listen(listener: RequestListener): Promise<Listening> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${asTcp(server.address()).port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Serves a handler of standard requests, with Hono's server for Node. */
export function listenFetch(handler: (request: Request) => Response | Promise<Response>): Promise<Listening> {
  const listener = getRequestListener(handler);
  return listen((request, response) => void listener(request, response));
}

function asTcp(address: unknown): AddressInfo {
  return address as AddressInfo;
}
