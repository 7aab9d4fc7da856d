// Risk: an address guesses faster than once per interval, or a disconnected caller keeps its place in the queue.
import { expect, test } from 'vitest';
import { createGuessTurns } from './guess-turns.ts';

const staying = new AbortController().signal;

function createTurns() {
  const ends: (() => void)[] = [];
  const turns = createGuessTurns(() => new Promise<void>((resolve) => void ends.push(resolve)));
  const endInterval = async () => {
    ends.shift()?.();
    for (let i = 0; i < 5; i++) await Promise.resolve();
  };
  return { turns, endInterval };
}

test('the addresses of an IPv6 /64 share their turns, other addresses have their own', async () => {
  const { turns, endInterval } = createTurns();
  const order: string[] = [];
  const take = (ip: string) => void turns.take(ip, staying).then((outcome) => order.push(`${ip} ${outcome}`));
  for (const ip of ['2001:db8::1', '2001:db8::2', '2001:db8::ffff:3', '2001:db8:0:1::1']) take(ip);
  await Promise.resolve();
  await Promise.resolve();
  expect(order).toEqual(['2001:db8::1 turn', '2001:db8:0:1::1 turn']);
  await endInterval();
  expect(order.slice(2)).toEqual(['2001:db8::2 turn']);
  await endInterval();
  await endInterval();
  expect(order.slice(3)).toEqual(['2001:db8::ffff:3 turn']);
});

test('twenty wait, the next is rejected, and one that disconnects makes room', async () => {
  const { turns } = createTurns();
  const leaving = new AbortController();
  expect(await turns.take('::1', staying)).toBe('turn');
  const left = turns.take('::1', leaving.signal);
  for (let i = 1; i < 20; i++) void turns.take('::1', staying);
  expect([turns.hasRoom('::1'), await turns.take('::1', staying)]).toEqual([false, 'full']);
  leaving.abort();
  expect([await left, turns.hasRoom('::1')]).toEqual(['gone', true]);
});

test('guesses of an address are counted, and the oldest count is removed', () => {
  const { turns } = createTurns();
  expect(turns.count('2001:db8::1', 'rejected')).toEqual({ address: '2001:db8:0:0::/64', rejected: 1, unread: 0 });
  expect(turns.count('2001:db8::2', 'unread')).toMatchObject({ rejected: 1, unread: 1 });
  for (let i = 0; i < 10_000; i++) turns.count(`10.0.${i >> 8}.${i & 255}`, 'rejected');
  expect(turns.count('2001:db8::1', 'rejected')).toMatchObject({ rejected: 1, unread: 0 });
});
