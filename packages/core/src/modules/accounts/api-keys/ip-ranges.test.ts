// Risk: a key with an IP allowlist works from other addresses, or creates keys with a wider one.
import { parseIpRange } from '@finhook/delivery';
import { expect, test } from 'vitest';
import { coversIpRange, createIpFilter } from './ip-ranges.ts';

test.each(
  (
    '1.2.3|1.2.3.4.5|01.2.3.4|0x7f.0.0.1|2130706433|1.2.3.4/33|1.2.3.4/-1|1.2.3.4/08|1.2.3.4/|1.2.3.4/8/8|' +
    '1.2.3.4 |::1/129|fe80::1%eth0|1.2.3.4:80|[::1]|localhost'
  ).split('|'),
)('%j is neither an address nor a range', (text) => {
  expect(parseIpRange(text)).toBeUndefined();
  expect(createIpFilter(['0.0.0.0/0', '::/0'])(text)).toBe(false);
});

test.each([
  ['203.0.113.7', '203.0.113.7', true],
  ['203.0.113.7', '203.0.113.8', false],
  ['203.0.113.0/24', '203.0.113.255', true],
  ['203.0.113.99/24', '203.0.113.1', true],
  ['203.0.113.0/24', '203.0.114.0', false],
  ['203.0.113.0/24', '::ffff:203.0.113.9', true],
  ['::ffff:203.0.113.0/120', '203.0.113.9', true],
  ['::ffff:cb00:7100/120', '203.0.113.9', true],
  ['::ffff:cb00:7100/120', '203.0.114.9', false],
  ['0:0:0:0:0:FFFF:203.0.113.0/120', '203.0.113.9', true],
  ['0000:0000:0000:0000:0000:ffff:cb00:7109', '203.0.113.9', true],
  ['203.0.113.0/24', '::ffff:cb00:7109', true],
  ['203.0.113.0/24', '0:0:0:0:0:ffff:cb00:7109', true],
  ['::ffff:0:0/95', '203.0.113.9', false],
  ['0.0.0.0/0', '198.51.100.1', true],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['2001:db8::/32', '2001:0DB8:ffff::1', true],
  ['2001:db8::/32', '2001:db9::1', false],
  ['::/0', '203.0.113.7', false],
  ['203.0.113.0/24', '203.0.113.0/24', false],
  // IPv4-compatible, IPv4-translated, NAT64 and 6to4 addresses are IPv6 addresses.
  ['::203.0.113.0/120', '203.0.113.9', false],
  ['::203.0.113.0/120', '::ffff:203.0.113.9', false],
  ['::203.0.113.0/120', '::cb00:7109', true],
  ['::cb00:7100/120', '::203.0.113.9', true],
  ['0::203.0.113.0/120', '::203.0.114.9', false],
  ['203.0.113.0/24', '::203.0.113.9', false],
  ['203.0.113.0/24', '::ffff:0:203.0.113.9', false],
  ['203.0.113.0/24', '64:ff9b::203.0.113.9', false],
  ['64:ff9b::203.0.113.0/120', '203.0.113.9', false],
  ['64:ff9b::203.0.113.0/120', '64:ff9b::cb00:7109', true],
  ['203.0.113.0/24', '2002:cb00:7109::1', false],
  ['2002:cb00:7100::/40', '203.0.113.9', false],
  ['2002:cb00:7100::/40', '2002:cb00:7109::1', true],
])('%s lets %s in: %s', (range, ip, allowed) => {
  expect(createIpFilter([range])(ip)).toBe(allowed);
});

test.each([
  ['10.0.0.0/8', '10.1.0.0/16', true],
  ['10.0.0.0/8', '10.0.0.0/8', true],
  ['10.0.0.0/8', '10.0.0.0/7', false],
  ['10.0.0.0/8', '0.0.0.0/0', false],
  ['10.0.0.0/8', '11.0.0.1', false],
  ['10.0.0.1', '10.0.0.1/32', true],
  ['10.0.0.1', '10.0.0.0/31', false],
  ['0.0.0.0/0', '::/0', false],
  ['203.0.113.0/24', '::ffff:cb00:7100/121', true],
  ['::ffff:cb00:7100/120', '203.0.113.0/23', false],
  ['203.0.113.0/24', '::203.0.113.0/120', false],
  ['::/0', '::203.0.113.0/120', true],
  ['::/0', '::ffff:203.0.113.0/120', false],
  ['2001:db8::/32', '2001:db8:1::/48', true],
  ['2001:db8::/32', '2001:db8::/16', false],
])('%s holds all of %s: %s', (outer, inner, covered) => {
  expect(coversIpRange(['192.0.2.1', outer], inner)).toBe(covered);
});
