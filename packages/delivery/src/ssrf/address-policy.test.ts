// Risk: a forbidden address range is missing, so that a webhook reaches a private or special host.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAddressCheck, isPublicAddress } from './resolve-host.ts';

/** First and last address of the IPv4 blocks that are not public. */
const blocks = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['168.63.129.16', '168.63.129.16'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
].map((ends) => ends.map(numberOf));

function numberOf(ip: string): number {
  return ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

test('an IPv4 address is public if and only if it is in none of the blocks', () => {
  const edges = blocks.flatMap(([first = 0, last = 0]) => [first - 1, first, last, last + 1]);
  const within = edges.filter((edge) => edge >= 0 && edge < 2 ** 32);
  const check = (address: number): void => {
    const ip = [24, 16, 8, 0].map((bits) => (address >>> bits) & 255).join('.');
    const isPublic = blocks.every(([first = 0, last = 0]) => address < first || address > last);
    expect([ip, isPublicAddress(ip)]).toEqual([ip, isPublic]);
  };
  for (const edge of within) check(edge);
  fc.assert(fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), check), { numRuns: 1_000 });
});

test.each([
  '::',
  '::1',
  '::8.8.8.8',
  '::ffff:8.8.8.8',
  '::ffff:0:8.8.8.8',
  '64:ff9b::808:808',
  '64:ff9b:1::808:808',
  '100::1',
  '2001::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:808:808::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fdff::1',
  'fe80::1',
  'febf::1',
  'fec0::1',
  'ff02::1',
  'fe80::1%eth0',
  '2606:4700::1%eth0',
])('%s is not public', (ip) => {
  expect(isPublicAddress(ip)).toBe(false);
});

test.each(['2606:4700:4700::1111', '2a00:1450:4001::200e', '2001:4860:4860::8888'])('%s is public', (ip) => {
  expect(isPublicAddress(ip)).toBe(true);
});

test.each(['', 'localhost', '0x7f.1', '0177.0.0.1', '127.1', '2130706433', '8.8.8.8.', '[::1]', '8.8.8.8:80'])(
  '%j is no address in canonical form, so not public',
  (text) => {
    expect(isPublicAddress(text)).toBe(false);
  },
);

test('no IPv6 form that embeds an IPv4 address is public, whatever it embeds', () => {
  const word = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
  const prefixes = ['::', '::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::'];
  fc.assert(
    fc.property(fc.constantFrom(...prefixes), word, word, (prefix, high, low) => {
      expect(isPublicAddress(`${prefix}${high}:${low}`)).toBe(false);
      expect(isPublicAddress(`2002:${high}:${low}::1`)).toBe(false);
    }),
  );
});

test('insecure targets open private and loopback addresses, never metadata, unspecified or multicast ones', () => {
  const open = { allowInsecure: true };
  const allowed = ['127.0.0.1', '::1', '10.0.0.1', '192.168.1.1', 'fd00::1', '100.64.0.1', '8.8.8.8'];
  const rejected = ['169.254.169.254', '0.0.0.0', '::', 'fe80::1', '224.0.0.1', '255.255.255.255', '::ffff:127.0.0.1'];
  expect(allowed.filter(createAddressCheck(open))).toEqual(allowed);
  expect(rejected.filter(createAddressCheck(open))).toEqual([]);
  expect(allowed.filter(createAddressCheck({ allowInsecure: false }))).toEqual(['8.8.8.8']);
});

test('a listed range is open, its neighbours and the other private ranges are not', () => {
  const listed = { allowInsecure: false, allowedCidrs: ['10.1.0.0/16', 'fd12::/16', '127.0.0.1'] };
  const allowed = ['10.1.0.0', '10.1.255.255', 'fd12:3456::1', '127.0.0.1', '8.8.8.8'];
  const rejected = ['10.0.255.255', '10.2.0.0', 'fd13::1', '127.0.0.2', '192.168.0.1', '::1', '::ffff:10.1.0.1'];
  expect(allowed.filter(createAddressCheck(listed))).toEqual(allowed);
  expect(rejected.filter(createAddressCheck(listed))).toEqual([]);
});

test.each([
  ['::ffff:10.1.0.0/112', ['10.1.2.3']],
  ['::ffff:a01:0/112', ['10.1.2.3']],
  ['::10.1.0.0/112', []],
  ['0::10.1.0.0/112', []],
  ['64:ff9b::10.1.0.0/112', []],
  ['2002:a01::/32', []],
  ['::ffff:0:0/95', []],
  ['::/0', ['::1', 'fd12::1']],
])('of private addresses, %s opens %j, and none that embeds another', (range, opened) => {
  const embedded = [
    '::10.1.2.3',
    '::a01:203',
    '::ffff:10.1.2.3',
    '::ffff:0:10.1.2.3',
    '64:ff9b::a01:203',
    '2002:a01:203::1',
  ];
  const isAllowed = createAddressCheck({ allowInsecure: false, allowedCidrs: [range] });
  expect(['10.1.2.3', '10.2.0.1', '::1', 'fd12::1', ...embedded].filter(isAllowed)).toEqual(opened);
});

test.each([
  '169.254.169.254',
  '168.63.129.16',
  '100.100.100.200',
  'fd00:ec2::254',
  'fd00:0ec2:0:0:0:0:0:0254',
  'fd20:ce::254',
  'fe80::1',
  '0.0.0.0',
  '255.255.255.255',
  '224.0.0.1',
  '::ffff:10.0.0.1',
  '64:ff9b::a00:1',
  '2002:a00:1::1',
])('%s stays shut whatever is listed or allowed', (ip) => {
  const allowedCidrs = ['0.0.0.0/0', '::/0'];
  expect(createAddressCheck({ allowInsecure: false, allowedCidrs })(ip)).toBe(false);
  expect(createAddressCheck({ allowInsecure: true, allowedCidrs })(ip)).toBe(false);
});

test.each(['10.0.0.0/33', '10.0.0/8', '', 'private'])(
  'the range %j is rejected before any address is checked',
  (range) => {
    expect(() => createAddressCheck({ allowInsecure: false, allowedCidrs: [range] })).toThrow('not a range');
  },
);
