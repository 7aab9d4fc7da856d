// Risk: on an old server, a migration fails halfway with an obscure syntax error.
import { expect, test } from 'vitest';
import { assertServerVersion } from './migrate-database.ts';

const onServer = (version: string, number: number) =>
  assertServerVersion({
    // The queries sent to a server of that version.
    async query<Row>(): Promise<Row[]> {
      return JSON.parse(JSON.stringify([{ version, number }]));
    },
  });

test('a server before PostgreSQL 17 is rejected with its version and the required one', async () => {
  await expect(onServer('16.11 (Debian)', 160_011)).rejects.toThrow(
    'The server of the database is PostgreSQL 16.11 (Debian), and finhook needs 17 or newer.',
  );
  await expect(onServer('17.0', 170_000)).resolves.toBeUndefined();
  await expect(onServer('18.1', 180_001)).resolves.toBeUndefined();
});
