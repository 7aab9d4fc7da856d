// Risk: a proxy's URL is misread, so that deliveries fail or its password is sent wrongly.
import { expect, test } from 'vitest';
import { parseProxyUrl } from './proxy-tunnel.ts';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

test.each([
  ['http://proxy.corp:3128', 'http:', 'proxy.corp', '3128', undefined],
  ['http://proxy.corp/', 'http:', 'proxy.corp', '80', undefined],
  ['https://[fd00::1]', 'https:', 'fd00::1', '443', undefined],
  [`http://user:${'p%40ss%3Aw%2Förd'}@10.0.0.1:8080`, 'http:', '10.0.0.1', '8080', basic('user:p@ss:w/örd')],
  ['http://token@proxy:1', 'http:', 'proxy', '1', basic('token:')],
])('%s', (text, protocol, hostname, port, authorization) => {
  expect(parseProxyUrl(text)).toEqual({ protocol, hostname, port, authorization });
});

test.each(['', 'proxy:3128', 'socks5://proxy:1080', 'http://proxy/path', 'http://proxy/?a=1', 'http://u:%E0@proxy'])(
  '%j is no proxy',
  (text) => {
    expect(() => parseProxyUrl(text)).toThrow(/^The outgoing proxy must be given as http:\/\/user:password@host:port,/);
  },
);
