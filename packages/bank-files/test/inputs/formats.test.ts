// Risk: an OFX, CAMT.053, MT940 or BAI2 file gives other rows or balances than the bank meant, or asks without need.
import { expect, test } from 'vitest';
import { checkEntry } from './check-entry.ts';
import { expected } from './expected-formats.ts';

test.each(expected.map((entry) => [entry.file, entry] as const))('%s', async (_, entry) => {
  expect.hasAssertions();
  await checkEntry(entry);
});
