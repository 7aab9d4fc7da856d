// Risk: letters typed while the search opens are lost, or press a button of the page below.
import { expect, test } from 'vitest';
import { withKey } from './type-ahead.ts';

const press = (key: string, held: readonly string[] = []) =>
  withKey({
    key,
    ctrlKey: held.includes('Control'),
    metaKey: held.includes('Meta'),
    altKey: held.includes('Alt'),
    getModifierState: (name) => held.includes(name),
  });

test('characters are added, also those of AltGr and outside of the first plane, and Backspace takes the last', () => {
  const keys = ['s', 'P', ' ', '😀', 'é'].map((key) => press(key));
  const typed = keys.reduce((text, change) => change?.(text) ?? text, '');
  expect(typed).toBe('sP 😀é');
  expect(press('@', ['Control', 'Alt', 'AltGraph'])?.('a')).toBe('a@');
  expect(press('Backspace')?.('a😀')).toBe('a');
  expect(press('Backspace')?.('')).toBe('');
});

test('Enter, Tab and Escape change no text but are taken; shortcuts and keys without a character are left to the browser', () => {
  for (const key of ['Enter', 'Tab', 'Escape']) expect(press(key)?.('text'), key).toBe('text');
  for (const key of ['Shift', 'F5', 'ArrowDown']) expect(press(key), key).toBe(undefined);
  expect(press('v', ['Control'])).toBe(undefined);
  expect(press('r', ['Meta'])).toBe(undefined);
});
