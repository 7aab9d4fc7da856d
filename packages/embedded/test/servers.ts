import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll } from 'vitest';
import type { EmbeddedPostgres } from '../src/start-embedded-postgres.ts';

/** A folder that the server's user may enter, removed after the tests of the file. */
export function temporaryRoot(): string {
  const root = mkdtempSync(join(tmpdir(), `finhook-test-${process.pid}-`));
  chmodSync(root, 0o711);
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

export async function query(server: EmbeddedPostgres, sql: string): Promise<unknown[][]> {
  const client = new Client({ connectionString: server.url('postgres') });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}
