// Risk: a worker starts with a configuration that is wrong, or prints a secret while rejecting it.
import { expect, test } from 'vitest';
import { workerEnv } from './env.ts';

const required = {
  DATABASE_URL: 'postgres://finhook:pa55word@localhost/finhook',
  QUEUE_URL: 'redis://localhost:6379',
  SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
};

test('the three required variables are enough', () => {
  expect(workerEnv(required)).toEqual({
    databaseUrl: required.DATABASE_URL,
    queueUrl: required.QUEUE_URL,
    secretsKey: required.SECRETS_KEY,
    allowInsecureWebhooks: false,
    allowedCidrs: [],
    proxyUrl: undefined,
    retryScale: 1,
    logLevel: 'info',
    sendTraceparent: false,
    observability: { metricsPort: undefined, metricsHost: '127.0.0.1', otlpEndpoint: undefined, sampleRatio: 1 },
    poolSize: 16,
    retention: { eventDays: 90, auditDays: 2_557, requestDays: 30 },
  });
});

test('every problem is reported at once, without the values of secrets', () => {
  const wrong = {
    DATABASE_URL: 'mysql://root:hunter2@localhost/x',
    SECRETS_KEY: 'c2hvcnQ=',
    WEBHOOK_RETRY_SCALE: '0',
    ALLOW_INSECURE_WEBHOOKS: 'yes',
    RETENTION_DAYS: '30',
    AUDIT_RETENTION_DAYS: '-1',
  };
  const message = messageOf(() => workerEnv(wrong));
  for (const name of [...Object.keys(wrong), 'QUEUE_URL']) expect(message).toContain(name);
  expect(message).not.toContain('hunter2');
  expect(message).not.toContain('c2hvcnQ');
});

test.each([
  ['QUEUE_URL', 'amqp://localhost'],
  ['WEBHOOK_RETRY_SCALE', '-1'],
  ['WEBHOOK_RETRY_SCALE', 'NaN'],
  ['WEBHOOK_RETRY_SCALE', '20.1'],
  ['DATABASE_POOL_SIZE', '2.5'],
  ['LOG_LEVEL', 'loud'],
  ['METRICS_PORT', '65536'],
  ['TRACE_SAMPLE_RATIO', '1.5'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['WEBHOOK_TRACEPARENT', 'yes'],
  ['WEBHOOK_ALLOWED_CIDRS', '10.0.0.0/33'],
  ['WEBHOOK_ALLOWED_CIDRS', '10.0.0.0/8,corp'],
  ['WEBHOOK_ALLOWED_CIDRS', '::10.0.0.0/104'],
  ['WEBHOOK_PROXY_URL', 'socks5://proxy:1080'],
  ['WEBHOOK_PROXY_URL', 'proxy:3128'],
  ['WEBHOOK_PROXY_URL', 'http://a%zz@proxy:8080'],
  ['WEBHOOK_PROXY_URL', 'http://user:%E0@proxy'],
])('%s=%s is refused', (name, value) => {
  expect(messageOf(() => workerEnv({ ...required, [name]: value }))).toContain(name);
});

test.each([
  'postgres://finhook:CANARY/x@localhost/finhook',
  'postgres://finhook:12/CANARY@localhost/finhook',
  'postgres://finhook:CANARY#x@localhost/finhook',
  'postgres://finhook:CANARY%zz@localhost/finhook',
  'postgres://finhook:CANARY@localhost:port/finhook',
  'postgres://finhook:CANARY@localhost/',
  'postgres://finhook:CANARY@localhost/finhook?sslmod=require',
  'postgres://finhook:CANARY@localhost/finhook?options=-c%20role%3Dnone',
  'postgres://finhook:CANARY@localhost/finhook?schema=other',
  'postgres://finhook:CANARY@localhost/finhook?ssl=on',
  'postgres://finhook:CANARY@localhost/finhook?ssl=yes',
  'postgres://finhook:CANARY@primary,standby/finhook',
  'postgres://finhook:CANARY@localhost/finhook?host=primary,standby',
  'postgres://finhook:CANARY@localhost/finhook?target_session_attrs=primary',
  'postgres://finhook:CANARY@localhost',
])('DATABASE_URL=%s is rejected with what to encode, without its password', (url) => {
  const message = messageOf(() => workerEnv({ ...required, DATABASE_URL: url }));
  expect(message).toContain('/ is %2F, # is %23');
  expect(message).not.toContain('CANARY');
});

test.each([
  `postgresql://finhook:${'p%2F%23%25%40'}@db.corp:5432/finhook?sslmode=require`,
  'postgres:///finhook?host=/var/run/postgresql',
  'postgres://finhook@[::1]:5432/finhook?sslmode=verify-full&sslrootcert=/etc/ca.pem',
  'postgres://finhook@%2Fvar%2Frun/fin%20hook',
])('DATABASE_URL=%s is taken', (url) => {
  expect(workerEnv({ ...required, DATABASE_URL: url }).databaseUrl).toBe(url);
});

test('a retry scale that is too large is rejected with its limit', () => {
  const scaled = (scale: string) => workerEnv({ ...required, WEBHOOK_RETRY_SCALE: scale });
  expect(messageOf(() => scaled('21'))).toContain('must be a number above 0, at most 20');
  expect(scaled('20').retryScale).toBe(20);
});

test('a variable of an earlier version that is no longer read changes nothing', () => {
  const earlier = { WORKER_CONCURRENCY: 'many', ENDPOINT_CONCURRENCY: '0' };
  expect(workerEnv({ ...required, ...earlier })).toEqual(workerEnv(required));
});

test('several keys and a small retry scale are taken', () => {
  const keys = `${required.SECRETS_KEY}, ${Buffer.alloc(32, 2).toString('base64')}`;
  expect(workerEnv({ ...required, SECRETS_KEY: keys, WEBHOOK_RETRY_SCALE: '0.001' })).toMatchObject({
    secretsKey: keys,
    retryScale: 0.001,
  });
});

test('ranges and a proxy are accepted, and the error of a wrong proxy lacks its password', () => {
  const proxy = 'http://user:p%40ss@proxy.corp:3128';
  const ranges = { WEBHOOK_ALLOWED_CIDRS: '10.20.0.0/16, fd12::/16,10.1.2.3' };
  expect(workerEnv({ ...required, ...ranges, WEBHOOK_PROXY_URL: proxy })).toMatchObject({
    allowedCidrs: ['10.20.0.0/16', 'fd12::/16', '10.1.2.3'],
    proxyUrl: proxy,
  });
  const message = messageOf(() => workerEnv({ ...required, WEBHOOK_PROXY_URL: 'ftp://user:CANARY@a@proxy' }));
  expect(message).not.toMatch(/CANARY|a@proxy/);
});

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  throw new Error('It was accepted.');
}
