import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { eventType, type Peer } from './peer.ts';

const tenant = 'bench';
/** As in the project's own load tests; the default is 1. */
const concurrency = '100';

/** Outpost: all services in one process, on PostgreSQL, Redis and RabbitMQ: it has no queue on Redis. */
export const outpost: Peer = {
  needsBroker: true,
  settings: ({ port, databaseUrl, redisUrl, brokerUrl }) => ({
    API_PORT: String(port),
    API_KEY: randomBytes(24).toString('hex'),
    API_JWT_SECRET: randomBytes(24).toString('hex'),
    AES_ENCRYPTION_SECRET: randomBytes(16).toString('hex'),
    POSTGRES_URL: `${databaseUrl}?sslmode=disable`,
    REDIS_HOST: new URL(redisUrl).hostname,
    REDIS_PORT: new URL(redisUrl).port,
    RABBITMQ_SERVER_URL: brokerUrl,
    TOPICS: eventType,
    PUBLISH_MAX_CONCURRENCY: concurrency,
    DELIVERY_MAX_CONCURRENCY: concurrency,
    LOG_MAX_CONCURRENCY: concurrency,
    // The default, 10, would be most of a short measurement.
    LOG_BATCH_THRESHOLD_SECONDS: '1',
    DESTINATIONS_WEBHOOK_MODE: 'standard',
    DISABLE_TELEMETRY: 'true',
    LOG_LEVEL: 'info',
    GIN_MODE: 'release',
  }),
  migration: (binary) => [join(dirname(binary), 'outpost'), 'migrate', 'apply', '--yes'],
  readyText: 'http server listening',
  healthPath: '/healthz',
  token: ({ API_KEY: key = '' }) => key,
  seed: async (call, urls) => {
    await call('PUT', `/api/v1/tenants/${tenant}`, {});
    for (const url of urls) {
      const destination = { type: 'webhook', topics: ['*'], config: { url } };
      await call('POST', `/api/v1/tenants/${tenant}/destinations`, destination);
    }
    return tenant;
  },
  post: (tenantId, event) => ({
    path: '/api/v1/publish',
    body: `{"tenant_id":"${tenantId}","topic":"${eventType}","data":${event}}`,
  }),
  attempts: 'attempts',
};
