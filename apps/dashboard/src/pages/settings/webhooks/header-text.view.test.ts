// Risk: headers pasted in a common format are misread, and the checker blames the sender.
import { expect, test } from 'vitest';
import { readHeaderText } from './header-text.view.ts';

const headers = { 'webhook-id': 'evt_1', 'x-service-signature': 't=1,v1=ab' };

test.each([
  'Webhook-Id: evt_1\nX-Service-Signature: t=1,v1=ab',
  'POST /hook HTTP/1.1\r\nwebhook-id:evt_1\r\n\r\n  x-service-signature:   t=1,v1=ab  \r\n',
  `curl\n -H 'webhook-id: evt_1' \\\n -H "x-service-signature: t=1,v1=ab"`.replace('curl\n', ''),
  '{"Webhook-Id": "evt_1", "x-service-signature": ["t=1,v1=ab"]}',
])('%j', (text) => expect(readHeaderText(text)).toEqual({ headers, unread: [] }));

test('a header that came twice keeps both values; lines that are none are named', () => {
  const read = readHeaderText('a: 1\nnot a header\nA: 2\n: 3');
  expect(read).toEqual({ headers: { a: ['1', '2'] }, unread: [2, 4] });
  expect(read.headers['a']).toEqual(['1', '2']);
});
