// Risk: a user does not recognise their own browser, or takes a stranger's for it.
import { expect, test } from 'vitest';
import { deviceOf } from './sessions-page.tsx';

const mozilla = 'Mozilla/5.0';
test.each([
  [
    `${mozilla} (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36`,
    'Chrome on Linux',
  ],
  [
    `${mozilla} (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36 Edg/142.0`,
    'Edge on Windows',
  ],
  [
    `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.1 Safari/605.1.15`,
    'Safari on macOS',
  ],
  [
    `${mozilla} (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile Safari/604.1`,
    'Safari on iOS',
  ],
  [`${mozilla} (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0`, 'Firefox on Android'],
  ['curl/8.5.0', 'curl'],
  ['<script>', 'Unknown device'],
  ['', 'Unknown device'],
  [null, 'Unknown device'],
])('%s is %s', (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device);
});
