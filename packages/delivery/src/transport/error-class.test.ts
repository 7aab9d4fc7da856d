// Risk: an error of this machine is blamed on an endpoint, or an endpoint's error stops the worker.
import { expect, test } from 'vitest';
import { BlockedAddressError } from '../ssrf/resolve-host.ts';
import { errorClassOf, errorMessageOf, isSystemError } from './error-class.ts';

const failing = (code?: string, message = 'connect to 10.0.0.1 failed') =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

test.each([
  ['ENOTFOUND', 'dns'],
  ['EAI_AGAIN', 'dns'],
  ['ETIMEOUT', 'dns'],
  ['ECONNREFUSED', 'connect_refused'],
  ['ENETUNREACH', 'connect_refused'],
  ['ETIMEDOUT', 'connect_timeout'],
  ['connect_timeout', 'connect_timeout'],
  ['ECONNRESET', 'reset'],
  ['connection_closed', 'reset'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
  ['CERT_HAS_EXPIRED', 'tls'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
  ['SOMETHING_NEW', 'unknown'],
])('%s is %s, and nobody but the receiver is to blame', (code, expected) => {
  expect(errorClassOf(failing(code))).toBe(expected);
  expect(isSystemError(failing(code))).toBe(false);
});

test('a name server that rejects is a DNS failure', () => {
  expect(errorClassOf(Object.assign(failing('ECONNREFUSED'), { syscall: 'queryA' }))).toBe('dns');
});

test('an error without a code is unknown', () => {
  expect(errorClassOf(failing())).toBe('unknown');
  expect(isSystemError(failing())).toBe(false);
});

test.each(['EMFILE', 'ENFILE', 'ENOMEM', 'EADDRNOTAVAIL'])('%s is a fault of this process', (code) => {
  expect(isSystemError(failing(code))).toBe(true);
});

const unroutable = () =>
  Object.assign(failing('EADDRNOTAVAIL'), { syscall: 'connect', address: '2606:4700::1', port: 443 });

test.each([
  ['its only address', unroutable()],
  [
    'one of several',
    Object.assign(new AggregateError([unroutable(), failing('ECONNREFUSED')]), { code: 'EADDRNOTAVAIL' }),
  ],
  ['a family unknown here', failing('EAFNOSUPPORT')],
])('IPv6 where this machine has none is a failed attempt: %s', (_case, error) => {
  expect(isSystemError(error)).toBe(false);
  expect(errorClassOf(error)).toBe('connect_refused');
});

test('no local port left for IPv4 is a fault of this machine, also where another address failed by itself', () => {
  const exhausted = Object.assign(failing('EADDRNOTAVAIL'), { syscall: 'connect', address: '8.8.8.8', port: 443 });
  expect(isSystemError(exhausted)).toBe(true);
  const both = Object.assign(new AggregateError([failing('ENETUNREACH'), exhausted]), { code: 'ENETUNREACH' });
  expect(isSystemError(both)).toBe(true);
});

test('a message carries the code and nothing of the error text', () => {
  expect(errorMessageOf('connect_refused', failing('ECONNREFUSED'))).not.toContain('10.0.0.1');
  expect(errorMessageOf('connect_refused', failing('ECONNREFUSED'))).toContain('(ECONNREFUSED)');
  expect(errorClassOf(new BlockedAddressError())).toBe('blocked_address');
});
