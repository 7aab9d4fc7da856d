// Risk: one client counts as many, because it has many addresses or spellings, or many clients count as one.
import { expect, test } from 'vitest';
import { addressGroup, createRateLimits } from './rate-limits.ts';

test.each([
  ['198.51.100.7', '198.51.100.7'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['::FFFF:c633:6407', '198.51.100.7'],
  ['0:0:0:0:0:ffff:198.51.100.7', '198.51.100.7'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['2001:db8::1:0:0:1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
  ['unknown', 'unknown'],
])('%s counts as %s', (ip, group) => {
  expect(addressGroup(ip)).toBe(group);
});

test('a request that the limit of the account rejects does not count for its key', async () => {
  const limits = createRateLimits({
    requests: 5,
    accountRequests: 6,
    inFlight: 0,
    failedAuth: 0,
    windowSeconds: 600,
  });
  const call = (keyId: string) => limits.consume({ keyId, accountId: 'account' }, 1);
  for (let left = 4; left >= 0; left--) {
    expect((await call('one')).headers['x-ratelimit-remaining']).toBe(String(left));
  }
  const { refund } = await call('another');
  for (let n = 0; n < 40; n++) {
    await expect(call('another')).rejects.toMatchObject({ headers: { 'x-ratelimit-remaining': '4' } });
  }
  refund();
  expect((await call('another')).headers['x-ratelimit-remaining']).toBe('4');
});

test('requests beyond the limit of a key do not count for its account', async () => {
  const limits = createRateLimits({
    requests: 5,
    accountRequests: 10,
    inFlight: 0,
    failedAuth: 0,
    windowSeconds: 600,
  });
  const call = (keyId: string) => limits.consume({ keyId, accountId: 'account' }, 1);
  for (let n = 0; n < 5; n++) await call('one');
  for (let n = 0; n < 80; n++) await expect(call('one')).rejects.toThrow('This key');
  for (let n = 0; n < 5; n++) await call('another');
  await expect(call('third')).rejects.toThrow('The keys of this account');
});

test('an address is throttled once it has used its failures, and no other is', async () => {
  const limits = createRateLimits({ requests: 0, accountRequests: 0, inFlight: 0, failedAuth: 2 });
  const states: boolean[] = [];
  for (let n = 0; n < 3; n++) {
    states.push(await limits.isThrottled('198.51.100.7'));
    await limits.failedAuth('198.51.100.7').catch(() => undefined);
  }
  expect(states).toEqual([false, false, true]);
  expect(await limits.isThrottled('198.51.100.8')).toBe(false);
  const off = createRateLimits({ requests: 0, accountRequests: 0, inFlight: 0, failedAuth: 0 });
  await off.failedAuth('198.51.100.7');
  expect(await off.isThrottled('198.51.100.7')).toBe(false);
});
