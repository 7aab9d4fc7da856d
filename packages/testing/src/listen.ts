import type { Server } from 'node:net';

/** Listens on 127.0.0.1 and resolves with the port; 0 takes a free one. */
export function listen(server: Server, port = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      if (address !== null && typeof address === 'object') resolve(address.port);
      else reject(new Error('The server has no port.'));
    });
  });
}
