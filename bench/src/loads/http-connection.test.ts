// Risk: a load waits for ever on a connection that the service closed meanwhile.
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openConnection } from './http-connection.ts';

test('a request on a connection that was closed while it was idle fails at once', async () => {
  const server = createServer((_request, response) => response.end('ok'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const connection = await openConnection(`http://127.0.0.1:${String(port)}`, {});
  expect((await connection.get('/')).status).toBe(200);
  server.closeIdleConnections();
  await delay(100);
  await expect(connection.get('/')).rejects.toThrow('closed');
  await expect(connection.post('/', 'x')).rejects.toThrow('closed');
});
