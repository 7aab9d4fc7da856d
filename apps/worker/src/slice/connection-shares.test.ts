// Risk: endpoints behind one address wait for each other's connections, or a share that was given back stays lost.
import { expect, test } from 'vitest';
import { createConnectionShares } from './connection-shares.ts';

test('one alone has every connection to its origin, and several have equal shares of them', () => {
  const shares = createConnectionShares(128);
  const joined = Array.from({ length: 3 }, (_, n) => shares.join(`https://hooks.example.com/${n}`));
  expect(joined.map(({ size }) => size)).toEqual([42, 42, 42]);
  expect(shares.join('https://other.example.com/0').size).toBe(128);
});

test('another port or scheme is another origin', () => {
  const shares = createConnectionShares(10);
  const joined = ['http://a.example', 'https://a.example', 'https://a.example:8443'].map((url) => shares.join(url));
  expect(joined.map(({ size }) => size)).toEqual([10, 10, 10]);
});

test('what one gives back the others have at once', () => {
  const shares = createConnectionShares(10);
  const first = shares.join('https://a.example/1');
  {
    using second = shares.join('https://a.example/2');
    expect([first.size, second.size]).toEqual([5, 5]);
  }
  expect(first.size).toBe(10);
});

test('an origin that nobody sends to any more starts anew', () => {
  const shares = createConnectionShares(10);
  {
    using share = shares.join('https://a.example');
    expect(share.size).toBe(10);
  }
  expect(shares.join('https://a.example').size).toBe(10);
});

test('each may send one at a time, however many there are', () => {
  const shares = createConnectionShares(2);
  const joined = Array.from({ length: 5 }, () => shares.join('https://a.example'));
  expect(joined.map(({ size }) => size)).toEqual([1, 1, 1, 1, 1]);
});
