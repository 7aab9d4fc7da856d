// Risk: money is stored in a currency that its sender did not name.
import { expect, test } from 'vitest';
import { normalizeCurrency } from './currency.ts';

test('C37: only letters of ASCII name a currency, although others have capitals among them', () => {
  expect([normalizeCurrency('usd'), normalizeCurrency('uSd')]).toEqual(['USD', 'USD']);
  for (let unit = 0x80; unit <= 0xffff; unit++) {
    const letter = String.fromCharCode(unit);
    for (const code of [`u${letter}d`, `${letter}nr`, `${letter}f`]) expect(normalizeCurrency(code)).toBeUndefined();
  }
});
