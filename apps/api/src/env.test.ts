// Risk: a misspelt proxy is ignored or matches everyone, and limits by address count the wrong clients.
import { loadEnv } from '@finhook/runtime';
import { expect, test } from 'vitest';
import { apiEnv } from './env.ts';

const required = {
  DATABASE_URL: 'postgres://finhook@localhost/finhook',
  QUEUE_URL: 'redis://localhost:6379',
  SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
};
const proxiesOf = (text: string) => loadEnv(apiEnv, { ...required, TRUSTED_PROXIES: text }).TRUSTED_PROXIES;

test.each([
  ['', []],
  ['10.1.2.3', ['10.1.2.3']],
  ['10.0.0.0/8, fd00::/8', ['10.0.0.0/8', 'fd00::/8']],
])('TRUSTED_PROXIES="%s" trusts %j', (text, proxies) => {
  expect(proxiesOf(text)).toEqual(proxies);
});

test.each([
  'true',
  '*',
  '10.0.0.0/33',
  '10.0.0.0/8;fd00::/8',
  'proxy.internal',
  '10.0.0.1,',
  '0.0.0.0/0',
  '10.0.0.0/8,::/0',
  '::10.0.0.0/104',
])('TRUSTED_PROXIES=%s is rejected', (text) => {
  expect(() => proxiesOf(text)).toThrow('TRUSTED_PROXIES');
});
