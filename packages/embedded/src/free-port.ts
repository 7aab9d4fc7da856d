import { createServer } from 'node:net';

/**
 * Finds a free TCP port on 127.0.0.1. Another process may take it before the caller binds it, so callers must be ready to
 * retry.
 */
export function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('The operating system gave no port.'));
      });
    });
  });
}
