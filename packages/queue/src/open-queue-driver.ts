import type { Logger } from '@finhook/runtime';
import { createBackendHealth } from './backend-health.ts';
import { openPostgresDriver } from './open-postgres-driver.ts';
import { openRedisDriver } from './open-redis-driver.ts';
import { parseQueueUrl } from './parse-queue-url.ts';
import type { QueueDriver } from './queue-driver.ts';

/** Opens the backend that the URL's scheme names, and begins to connect to it. */
export function openQueueDriver(url: string, role: 'producer' | 'consumer', logger: Logger): QueueDriver {
  const target = parseQueueUrl(url);
  const health = createBackendHealth(logger.child({ queue_backend: target.kind, queue_role: role }));
  return target.kind === 'postgres'
    ? openPostgresDriver(target.url, role, health)
    : openRedisDriver(target, role, health);
}
