// Risk: a proxy that is misspelt is taken for none, or for everyone, and a limit by address counts the wrong ones.
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
])('of TRUSTED_PROXIES="%s" %j are believed', (text, proxies) => {
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
])('TRUSTED_PROXIES=%s is refused', (text) => {
  expect(() => proxiesOf(text)).toThrow('TRUSTED_PROXIES');
});
