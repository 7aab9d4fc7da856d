// Risk: somebody makes, changes or keeps an operator's session.
import { createTestClock } from '@finhook/testing';
import { expect, test } from 'vitest';
import { createOperatorSessions } from './operator-sessions.ts';

const HOUR = 60 * 60 * 1000;
const secretsKey = Buffer.alloc(32, 1).toString('base64');
const otherKey = Buffer.alloc(32, 2).toString('base64');

function setup() {
  const clock = createTestClock();
  const open = (password = 'correct horse battery', key = secretsKey) =>
    createOperatorSessions({ password, secretsKey: key, clock });
  const cookie = open().begin().split(';', 1)[0] ?? '';
  return { clock, open, cookie };
}

test('S29: its cookie is for this host alone, and no script or other site gets at it', () => {
  const { open } = setup();
  const [pair = '', ...attributes] = open().begin().split('; ');
  expect(pair).toMatch(/^__Host-finhook_ops=\d+\.[\w-]{22}\.[\w-]{43}$/);
  expect(attributes.toSorted()).toEqual(['HttpOnly', 'Max-Age=43200', 'Path=/', 'SameSite=Strict', 'Secure']);
  expect(open().end()).toMatch(/^__Host-finhook_ops=; Max-Age=0;/);
});

test('it ends after twelve hours', () => {
  const { clock, open, cookie } = setup();
  clock.advance(12 * HOUR - 1);
  expect(open().isOpen(`a=b; ${cookie}`)).toBe(true);
  clock.advance(1);
  expect(open().isOpen(cookie)).toBe(false);
});

test('it ends with the password and with the key; a key that is only kept does not count', () => {
  const { open, cookie } = setup();
  expect(open('correct horse batterz').isOpen(cookie)).toBe(false);
  expect(open(undefined, otherKey).isOpen(cookie)).toBe(false);
  expect(open(undefined, `${otherKey},${secretsKey}`).isOpen(cookie)).toBe(false);
  expect(open(undefined, `${secretsKey}, ${otherKey}`).isOpen(cookie)).toBe(true);
});

test('no cookie is one that was changed anywhere', () => {
  const { open, cookie } = setup();
  const value = cookie.slice('__Host-finhook_ops='.length);
  const [until = '', nonce = '', mac = ''] = value.split('.');
  const forged = [
    '',
    value.slice(1),
    `${value}.`,
    `${Number(until) + 1}.${nonce}.${mac}`,
    `${until}.${mac}.${nonce}`,
    `${until}..${mac}`,
    `Infinity.${nonce}.${mac}`,
    ...Array.from(
      value,
      (char, index) => `${value.slice(0, index)}${char === '0' ? '1' : '0'}${value.slice(index + 1)}`,
    ),
  ];
  expect(forged.filter((text) => open().isOpen(`__Host-finhook_ops=${text}`))).toEqual([]);
  expect(open().isOpen(undefined)).toBe(false);
  expect(open().isOpen(cookie)).toBe(true);
});

test('only the password is the password', () => {
  const sessions = setup().open();
  expect(['', 'correct horse batter', 'correct horse battery '].map((tried) => sessions.accepts(tried))).toEqual([
    false,
    false,
    false,
  ]);
  expect(sessions.accepts('correct horse battery')).toBe(true);
});
