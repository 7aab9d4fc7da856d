// Risk: somebody forges, changes or keeps an operator's session.
import { createTestClock } from '@finhook/testing';
import { expect, test } from 'vitest';
import { createOperatorSessions, type OperatorSignOuts } from './operator-sessions.ts';

const HOUR = 60 * 60 * 1000;
const secretsKey = Buffer.alloc(32, 1).toString('base64');
const otherKey = Buffer.alloc(32, 2).toString('base64');

function setup() {
  const clock = createTestClock();
  const ended = new Set<string>();
  const signOuts: OperatorSignOuts = {
    add: async ({ id }) => void ended.add(id),
    has: async (id) => ended.has(id),
  };
  const open = (password = 'correct horse battery', key = secretsKey) =>
    createOperatorSessions({ password, secretsKey: key, clock, signOuts });
  const cookie = open().begin().split(';', 1)[0] ?? '';
  return { clock, open, cookie };
}

test('its cookie is limited to this host, and hidden from scripts and other sites', () => {
  const { open } = setup();
  const [pair = '', ...attributes] = open().begin().split('; ');
  expect(pair).toMatch(/^__Host-finhook_ops=\d+\.[\w-]{22}\.[\w-]{43}$/);
  expect(attributes.toSorted()).toEqual(['HttpOnly', 'Max-Age=43200', 'Path=/', 'SameSite=Strict', 'Secure']);
  expect(open().clear()).toMatch(/^__Host-finhook_ops=; Max-Age=0;/);
});

test('it ends after twelve hours', async () => {
  const { clock, open, cookie } = setup();
  clock.advance(12 * HOUR - 1);
  expect(await open().isOpen(`a=b; ${cookie}`)).toBe(true);
  clock.advance(1);
  expect(await open().isOpen(cookie)).toBe(false);
});

test('it ends if the password or the first key changes', async () => {
  const { open, cookie } = setup();
  expect(await open('correct horse batterz').isOpen(cookie)).toBe(false);
  expect(await open(undefined, otherKey).isOpen(cookie)).toBe(false);
  expect(await open(undefined, `${otherKey},${secretsKey}`).isOpen(cookie)).toBe(false);
  expect(await open(undefined, `${secretsKey}, ${otherKey}`).isOpen(cookie)).toBe(true);
});

test('signing out ends the session, in other processes too, and no other session', async () => {
  const { open, cookie } = setup();
  const other = open().begin().split(';', 1)[0];
  await open().end(cookie);
  await open().end('__Host-finhook_ops=forged');
  expect([await open().isOpen(cookie), await open().isOpen(other)]).toEqual([false, true]);
});

test('a changed cookie is invalid', async () => {
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
  expect(await Promise.all(forged.map((text) => open().isOpen(`__Host-finhook_ops=${text}`)))).not.toContain(true);
  expect(await open().isOpen(undefined)).toBe(false);
  expect(await open().isOpen(cookie)).toBe(true);
});

test('only the exact password is accepted', () => {
  const sessions = setup().open();
  expect(['', 'correct horse batter', 'correct horse battery '].map((tried) => sessions.accepts(tried))).toEqual([
    false,
    false,
    false,
  ]);
  expect(sessions.accepts('correct horse battery')).toBe(true);
});
