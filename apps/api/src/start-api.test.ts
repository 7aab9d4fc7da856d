// Risk: a start that is retried in the same process finds its own ports in use.
import { createServer } from 'node:http';
import { createLogger } from '@finhook/runtime';
import { expect, test } from 'vitest';
import { apiEnv } from './env.ts';
import { startApi } from './start-api.ts';

test('a failed start closes its connections', async () => {
  const url = 'postgres://127.0.0.1:9/none';
  const env = apiEnv.parse({
    DATABASE_URL: url,
    QUEUE_URL: url,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    METRICS_PORT: String(await freePort()),
  });
  const logger = createLogger({ level: 'silent', name: 'test' });
  await expect(startApi({ ...env, WEBHOOK_PROXY_URL: 'ftp://proxy' }, logger)).rejects.toThrow('outgoing proxy');
  await expect(fetch(`http://127.0.0.1:${env.METRICS_PORT}/metrics`)).rejects.toThrow('fetch failed');
});

async function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const server = createServer().listen(0, '127.0.0.1', () => {
    const address = server.address();
    server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
  });
  return promise;
}
