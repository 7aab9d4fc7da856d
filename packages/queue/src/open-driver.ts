import type { Logger } from '@finhook/runtime';
import { createBackendHealth } from './backend-health.ts';
import type { QueueDriver } from './driver.ts';
import { openPostgresDriver } from './postgres-driver.ts';
import { parseQueueUrl } from './queue-url.ts';
import { openRedisDriver } from './redis-driver.ts';

export interface OpenDriverOptions {
  readonly role: 'producer' | 'consumer';
  readonly logger: Logger;
  /** If true, it detects by writes of its own that the backend rejects writes or is slow. */
  readonly probes: boolean;
}

export function openQueueDriver(url: string, { role, logger, probes }: OpenDriverOptions): QueueDriver {
  const target = parseQueueUrl(url);
  const health = createBackendHealth(logger.child({ queue_backend: target.kind, queue_role: role }));
  return target.kind === 'postgres'
    ? openPostgresDriver(target.url, role, health)
    : openRedisDriver(target, role, health, probes);
}
