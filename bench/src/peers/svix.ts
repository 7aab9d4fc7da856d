import { createHmac, randomBytes } from 'node:crypto';
import { eventType, type Peer } from './peer.ts';

/** The organization of the server's own `jwt generate`. */
const organization = 'org_23rb8YdGqMT0qIzpgGwdXfHirMu';

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Svix server: api and worker in one process, on PostgreSQL and Redis. */
export const svix: Peer = {
  needsBroker: false,
  settings: ({ port, databaseUrl, redisUrl }) => ({
    SVIX_LISTEN_ADDRESS: `127.0.0.1:${port}`,
    SVIX_DB_DSN: databaseUrl,
    // The default, 100, is more than the server has.
    SVIX_DB_POOL_MAX_SIZE: '50',
    SVIX_REDIS_DSN: redisUrl,
    SVIX_QUEUE_TYPE: 'redis',
    // Recommended by its documentation for one instance.
    SVIX_CACHE_TYPE: 'memory',
    SVIX_JWT_SECRET: randomBytes(24).toString('hex'),
    SVIX_MAIN_SECRET: randomBytes(24).toString('hex'),
    SVIX_WHITELABEL_HEADERS: 'true',
    SVIX_WHITELIST_SUBNETS: '[127.0.0.0/8]',
    SVIX_LOG_LEVEL: 'info',
    SVIX_LOG_FORMAT: 'json',
    SVIX_ENVIRONMENT: 'prod',
  }),
  migration: (binary) => [binary, 'migrate'],
  readyText: 'Worker concurrent task limit',
  healthPath: '/api/v1/health/ping/',
  token: ({ SVIX_JWT_SECRET: secret = '' }) => {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iat: now, nbf: now - 60, exp: now + 86_400, iss: 'svix-server', sub: organization };
    const content = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`;
    return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
  },
  seed: async (call, urls) => {
    const tenantId = await call('POST', '/api/v1/app/', { name: 'Bench' });
    for (const url of urls) await call('POST', `/api/v1/app/${tenantId}/endpoint/`, { url });
    return tenantId;
  },
  post: (tenantId, event) => ({
    // The response of this service doesn't repeat the event either.
    path: `/api/v1/app/${tenantId}/msg/?with_content=false`,
    body: `{"eventType":"${eventType}","payload":${event}}`,
  }),
  attempts: 'messageattempt',
};
