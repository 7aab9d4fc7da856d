// Risk: a worker starts with a configuration that is wrong, or prints a secret while refusing it.
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
    retryScale: 1,
    logLevel: 'info',
    concurrency: 100,
    endpointConcurrency: 64,
    poolSize: 10,
  });
});

test('every problem is told at once, without the values of secrets', () => {
  const wrong = {
    DATABASE_URL: 'mysql://root:hunter2@localhost/x',
    SECRETS_KEY: 'c2hvcnQ=',
    WEBHOOK_RETRY_SCALE: '0',
    ALLOW_INSECURE_WEBHOOKS: 'yes',
    WORKER_CONCURRENCY: '0',
    ENDPOINT_CONCURRENCY: '1e3',
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
  ['ENDPOINT_CONCURRENCY', '129'],
  ['DATABASE_POOL_SIZE', '2.5'],
  ['LOG_LEVEL', 'loud'],
])('%s=%s is refused', (name, value) => {
  expect(messageOf(() => workerEnv({ ...required, [name]: value }))).toContain(name);
});

test('several keys and a small retry scale are taken', () => {
  const keys = `${required.SECRETS_KEY}, ${Buffer.alloc(32, 2).toString('base64')}`;
  expect(workerEnv({ ...required, SECRETS_KEY: keys, WEBHOOK_RETRY_SCALE: '0.001' })).toMatchObject({
    secretsKey: keys,
    retryScale: 0.001,
  });
});

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  throw new Error('It was accepted.');
}
