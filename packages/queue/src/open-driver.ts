import type { Logger } from '@finhook/runtime';
import { createBackendHealth } from './backend-health.ts';
import type { QueueDriver } from './driver.ts';
import { openPostgresDriver } from './postgres-driver.ts';
import { parseQueueUrl } from './queue-url.ts';
import { openRedisDriver } from './redis-driver.ts';

export function openQueueDriver(url: string, role: 'producer' | 'consumer', logger: Logger): QueueDriver {
  const target = parseQueueUrl(url);
  const health = createBackendHealth(logger.child({ queue_backend: target.kind, queue_role: role }));
  return target.kind === 'postgres'
    ? openPostgresDriver(target.url, role, health)
    : openRedisDriver(target, role, health);
}
