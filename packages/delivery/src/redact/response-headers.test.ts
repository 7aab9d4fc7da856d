// Risk: response headers grow without bound, or carry a cookie or a credential into the attempt log.
import { expect, test } from 'vitest';
import { responseHeaders } from './response-headers.ts';

test('S23: cookies, credentials and connection headers are not kept', () => {
  const kept = responseHeaders({
    'content-type': 'text/plain',
    connection: 'keep-alive',
    'set-cookie': ['sid=1'],
    'www-authenticate': 'Bearer realm=x',
    'x-echo': ['a', 'Bearer abcdefgh'],
  });
  expect(kept).toEqual({ 'content-type': 'text/plain', 'x-echo': 'a, Bearer [redacted]' });
});

test('count and length are bounded, and retry-after is always kept', () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`x-${index}`, 'v'.repeat(1000)]));
  const kept = responseHeaders({ ...many, 'retry-after': '30' });
  expect(Object.keys(kept)).toHaveLength(33);
  expect(kept['retry-after']).toBe('30');
  expect(kept['x-0']).toHaveLength(256);
});

test('S32: a header named __proto__ is plain data', () => {
  const kept = responseHeaders(JSON.parse('{"__proto__":"x"}'));
  expect(Object.keys(kept)).toEqual(['__proto__']);
});
