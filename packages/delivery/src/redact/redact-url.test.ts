// Risk: a token in a webhook URL reaches events and logs.
import { expect, test } from 'vitest';
import { redactPath, redactUrl } from './redact-url.ts';

test.each([
  ['https://example.com/hook?token=abc', 'https://example.com/hook'],
  ['https://user:pass@example.com:8443/a/b#x', 'https://example.com:8443/a/b'],
  ['https://example.com', 'https://example.com/'],
  ['not a url?token=abc', '[invalid url]'],
])('%s becomes %s', (url, redacted) => {
  expect(redactUrl(url)).toBe(redacted);
});

test.each([
  ['https://user:pass@example.com:8443/hooks/T0/secret?token=abc', 'https://example.com:8443/[redacted]'],
  ['not a url', '[invalid url]'],
])('S-3: of %s the origin is left', (url, redacted) => {
  expect(redactPath(url)).toBe(redacted);
});
