// Risk: pasted headers or bodies are misread, or a verdict differs from the service's result, and a developer looks for
// the wrong bug.
import { expect, test } from 'vitest';
import { partial } from '../../../test/partial.ts';
import { describeBody, readHeaderText } from './signature-checker.tsx';
import { isGenuine, type Verification, verdictOf, withoutNewline } from './signature-result.tsx';

const found = (reason: Verification['reason'], hint: string | null = reason) =>
  partial<Verification>({ valid: reason === null, reason, hint, schemes: [] });

test.each([
  [null, 'Valid signature'],
  ['body_altered', 'Body altered'],
  ['timestamp_too_old', 'Timestamp too old'],
  ['previous_secret', 'Previous secret'],
] as const)('%s is "%s"', (reason, title) => {
  expect(verdictOf(found(reason)).title).toBe(title);
});

test("a reason comes with the service's hint", () => {
  expect(verdictOf(found('body_altered', 'Something changed it.'))).toEqual({
    valid: false,
    title: 'Body altered',
    hint: 'Something changed it.',
  });
});

test('a trailing newline is checked only if the body is the reason and has one', () => {
  expect(withoutNewline(found('body_reserialised'), '{}\r\n')).toBe('{}');
  expect(withoutNewline(found('body_altered'), '{}\n\n')).toBe('{}\n');
  expect(withoutNewline(found('body_altered'), '{}')).toBeUndefined();
  expect(withoutNewline(found(null), '{}\n')).toBeUndefined();
  const reasons = [null, 'timestamp_too_old', 'body_altered'] as const;
  expect(reasons.map((reason) => isGenuine(found(reason)))).toEqual([true, true, false]);
  expect(verdictOf(found('body_reserialised'), true).title).toContain('newline');
});

const headers = { 'webhook-id': 'evt_1', 'x-service-signature': 't=1,v1=ab' };

test.each([
  'Webhook-Id: evt_1\nX-Service-Signature: t=1,v1=ab',
  'POST /hook HTTP/1.1\r\nwebhook-id:evt_1\r\n\r\n  x-service-signature:   t=1,v1=ab  \r\n',
  `curl\n -H 'webhook-id: evt_1' \\\n -H "x-service-signature: t=1,v1=ab"`.replace('curl\n', ''),
  '{"Webhook-Id": "evt_1", "x-service-signature": ["t=1,v1=ab"]}',
])('%j', (text) => expect(readHeaderText(text)).toEqual({ headers, unread: [] }));

test('a repeated header keeps both values, and invalid lines are named', () => {
  const read = readHeaderText('a: 1\nnot a header\nA: 2\n: 3');
  expect(read).toEqual({ headers: { a: ['1', '2'] }, unread: [2, 4] });
  expect(read.headers['a']).toEqual(['1', '2']);
});

test.each([
  ['', 'Empty'],
  ['{}', '2 bytes, no trailing newline'],
  ['Ž\n', '3 bytes, trailing newline'],
  ['a\r\nb', '4 bytes, no trailing newline, CRLF line endings'],
])('%j: %s', (body, words) => expect(describeBody(body)).toBe(words));
