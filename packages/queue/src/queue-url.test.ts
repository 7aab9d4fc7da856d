// Risk: a mistyped QUEUE_URL selects the wrong backend, or its password appears in an error.
import { expect, test } from 'vitest';
import { queueName } from './bullmq.ts';
import { parseQueueUrl } from './queue-url.ts';

test.each([
  ['redis://localhost:6379/2', { kind: 'redis', url: 'redis://localhost:6379/2' }],
  ['rediss://user:p%40ss@cache.example:6380', { kind: 'redis', url: 'rediss://user:p%40ss@cache.example:6380' }],
  ['postgres://u:p@db/finhook', { kind: 'postgres', url: 'postgres://u:p@db/finhook' }],
  ['postgres:///finhook?host=/run/pg', { kind: 'postgres', url: 'postgres:///finhook?host=/run/pg' }],
  ['postgres://u:p@db/finhook?ssl=true', { kind: 'postgres', url: 'postgres://u:p@db/finhook?ssl=true' }],
  ['postgresql://u:p@db/finhook', { kind: 'postgres', url: 'postgresql://u:p@db/finhook' }],
])('%s', (url, expected) => {
  expect(parseQueueUrl(url)).toEqual(expected);
});

test('a cluster list, with and without login, port and TLS', () => {
  expect(parseQueueUrl('redis-cluster://a:7000,b,[::1]:7002')).toEqual({
    kind: 'redis-cluster',
    tls: false,
    nodes: [
      { host: 'a', port: 7000 },
      { host: 'b', port: 6379 },
      { host: '::1', port: 7002 },
    ],
  });
  expect(parseQueueUrl('rediss-cluster://me:p%40ss@a:1,b:2/')).toEqual({
    kind: 'redis-cluster',
    tls: true,
    username: 'me',
    password: 'p@ss',
    nodes: [
      { host: 'a', port: 1 },
      { host: 'b', port: 2 },
    ],
  });
});

test('a list of sentinels, with and without logins, port and TLS', () => {
  expect(parseQueueUrl('redis-sentinel://a:7000,b/main')).toEqual({
    kind: 'redis-sentinel',
    tls: false,
    master: 'main',
    nodes: [
      { host: 'a', port: 7000 },
      { host: 'b', port: 26379 },
    ],
  });
  expect(parseQueueUrl('rediss-sentinel://me:p%40ss@a:1/main?sentinel_password=s%26t')).toEqual({
    kind: 'redis-sentinel',
    tls: true,
    username: 'me',
    password: 'p@ss',
    sentinelPassword: 's&t',
    master: 'main',
    nodes: [{ host: 'a', port: 1 }],
  });
});

test.each([
  '',
  'localhost:6379',
  'mysql://u:hunter2@db/x',
  'redis-cluster://u:hunter2@',
  'redis://u:hunter2@[bad',
  'redis-cluster://u:hunter2@a:70000',
  'redis-sentinel://u:hunter2@a:1',
  'redis-sentinel://u:hunter2@a:1/',
  'redis-sentinel://u:hunter2@a:70000/main',
  'redis://u:hunter2%zz@a',
  'redis-cluster://u:hunter2%zz@a',
  'redis-sentinel://u:hunter2%@a/main',
  'postgres://u:hunter2%zz@db/finhook',
  'postgres://u:hunter2@db/finhook?ssl=on',
  'postgres://u:hunter2@db,standby/finhook',
  'redis://u:hunter2@a/-1',
  'redis://u:hunter2@a/abc',
  'redis://u:hunter2@a/3/',
  'redis://u:hunter2@a?db=x',
])('%j is rejected without repeating the password', (url) => {
  expect(() => parseQueueUrl(url)).toThrow(/^The queue URL/);
  expect(() => parseQueueUrl(url)).not.toThrow('hunter2');
});

test('queue names hold no colon', () => {
  expect(queueName('connection.sync')).toBe('finhook-connection-sync');
});
