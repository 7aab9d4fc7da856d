// Risk: a pasted newline goes unseen, and a valid signature looks invalid.
import { expect, test } from 'vitest';
import { describeBody } from './raw-body.view.ts';

test.each([
  ['', 'Empty: 0 bytes.'],
  ['{}', '2 bytes, without a newline at the end.'],
  ['Ž\n', '3 bytes, with a newline at the end.'],
  ['a\r\nb', '4 bytes, without a newline at the end, lines end with CRLF.'],
])('%j: %s', (body, words) => expect(describeBody(body)).toBe(words));
