// Risk: a hanging endpoint takes many sockets, or a healthy one stays slow.
import { expect, test } from 'vitest';
import { createSendWindow } from './send-window.ts';

test('it opens with good answers up to its bound', () => {
  const window = createSendWindow(64, false);
  expect(window.size).toBe(8);
  for (let count = 0; count < 100; count++) window.widen(5);
  expect(window.size).toBe(64);
});

test('eight requests that hang together leave two; it opens again when the endpoint is back', () => {
  const window = createSendWindow(64, false);
  for (let count = 0; count < 8; count++) window.narrow();
  expect(window.size).toBe(2);
  for (let count = 0; count < 10; count++) window.widen(50);
  expect(window.size).toBe(12);
});

test('an endpoint that is known to fail starts with two', () => {
  expect(createSendWindow(64, true).size).toBe(2);
});

test('answers that only became slow by queueing do not open it', () => {
  const window = createSendWindow(64, false);
  window.widen(5);
  window.widen(60);
  window.widen(21);
  expect(window.size).toBe(9);
  window.widen(20);
  expect(window.size).toBe(10);
});

test('it never exceeds its bound, however small', () => {
  const window = createSendWindow(1, false);
  window.narrow();
  window.widen(1);
  expect(window.size).toBe(1);
});
