// Risk: a CSV file that a bank writes stores other rows or balances than the bank meant, or leaves the user stuck.
import { describe, expect, test } from 'vitest';
import { checkEntry } from './check-entry.ts';
import { expected } from './expected-csv.ts';

describe('a CSV input asks, stores and reports what its expected values say', () => {
  test.each(expected.map((entry) => [entry.file, entry] as const))('%s', async (_, entry) => {
    expect.hasAssertions();
    await checkEntry(entry);
  });
});
