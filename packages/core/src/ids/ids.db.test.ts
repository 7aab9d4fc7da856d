// Risk: ids made by PostgreSQL differ from those made by the service, or are easier to guess.
import { createTestDatabase } from '@finhook/testing';
import { expect, inject, test } from 'vitest';
import { openRawClient } from '../../test/raw-client.ts';
import { sqlRandomIdPart } from './ids.ts';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

test('the random part that PostgreSQL makes has 80 random bits and differs in every row', async () => {
  const database = await createTestDatabase(inject('pgUrl'));
  const client = await openRawClient(database.url);
  const count = 4_000;
  const { rows } = await client.query<{ part: string }>(
    `SELECT ${sqlRandomIdPart} AS part FROM generate_series(1, ${count})`,
  );
  await client.end();
  await database.drop();
  const ones = Array.from({ length: 80 }, () => 0);
  for (const { part } of rows) {
    expect(part).toMatch(/^[0-9a-hjkmnp-tv-z]{16}$/);
    for (let bit = 0; bit < ones.length; bit++) {
      const digit = ALPHABET.indexOf(part.charAt(Math.floor(bit / 5)));
      ones[bit] = (ones[bit] ?? 0) + ((digit >> (4 - (bit % 5))) & 1);
    }
  }
  expect(new Set(rows.map(({ part }) => part)).size).toBe(count);
  // Five standard deviations of 4000 tosses of a fair coin.
  expect(ones.filter((n) => Math.abs(n - count / 2) < 5 * Math.sqrt(count / 4))).toHaveLength(80);
});
