// Risk: a token in a webhook URL reaches events and logs.
import { expect, test } from 'vitest';
import { redactUrl } from './redact-url.ts';

test.each([
  ['https://example.com/hook?token=abc', 'https://example.com/hook'],
  ['https://user:pass@example.com:8443/a/b#x', 'https://example.com:8443/a/b'],
  ['https://example.com', 'https://example.com/'],
  ['not a url?token=abc', '[invalid url]'],
])('%s becomes %s', (url, redacted) => {
  expect(redactUrl(url)).toBe(redacted);
});
