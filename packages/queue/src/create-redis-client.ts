import type { Logger } from '@finhook/runtime';
import type { Cluster, Redis } from 'ioredis';
import { parseQueueUrl } from './queue-url.ts';
import { connect } from './redis-driver.ts';

export interface RedisClient {
  readonly client: Redis | Cluster;
  close(): Promise<void>;
}

/**
 * A connection to the queue's Redis for counters that processes share (rate limits); undefined when the queue is on
 * PostgreSQL. Commands fail at once while Redis is away.
 */
export function createRedisClient(queueUrl: string, { logger }: { readonly logger: Logger }): RedisClient | undefined {
  const target = parseQueueUrl(queueUrl);
  if (target.kind === 'postgres') return undefined;
  const client = connect(target, 'producer');
  // Without a listener an error event ends the process; the queue's own connection reports the outage.
  client.on('error', (err: unknown) => logger.debug({ err }, 'redis'));
  return { client, close: async () => client.disconnect() };
}
