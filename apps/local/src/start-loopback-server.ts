import { createServer, type RequestListener } from 'node:http';

/** An HTTP server of this machine only, on a free port. */
export interface LoopbackServer {
  /** Without a slash at its end. */
  url: string;
  /** Cuts what is open and resolves when the port is free. */
  close: () => Promise<void>;
}

/** Starts a server on 127.0.0.1 that answers with `listener`. */
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
