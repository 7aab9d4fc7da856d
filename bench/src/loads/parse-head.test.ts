// Risk removed: a response that is cut in the wrong place, so that the generator counts requests without a response.
import { expect, test } from 'vitest';
import { parseHead } from './http-connection.ts';

const head = 'HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\n';

test('finds the body whatever follows it', () => {
  const bytes = Buffer.from(`${head}helloHTTP/1.1 200 OK`);
  const found = parseHead(bytes);
  expect(found?.status).toBe(201);
  expect(bytes.toString('utf8', found?.start, found?.end)).toBe('hello');
});

test('waits for the whole head, and tells how long the body will be before it is there', () => {
  expect(parseHead(Buffer.from(head.slice(0, -1)))).toBeUndefined();
  expect(parseHead(Buffer.from(head))?.end).toBe(head.length + 5);
});

test('rejects a response whose end it cannot know', () => {
  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
  expect(() => parseHead(Buffer.from(chunked))).toThrow('Not the response of a service');
});
