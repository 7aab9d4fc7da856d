import { randomBytes } from 'node:crypto';
import { databaseUrl, withClient } from './with-client.ts';

export interface TestDatabase {
  readonly url: string;
  readonly name: string;
  /** Removes the database, ending connections that are still open. */
  drop(): Promise<void>;
}

/** A database of one's own, empty or a clone of a template that `ensureTemplate` made. */
export async function createTestDatabase(
  adminUrl: string,
  options: { readonly template?: string } = {},
): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await withClient(adminUrl, (client) => {
    const template = client.escapeIdentifier(options.template ?? 'template1');
    return client.query(`create database ${name} template ${template}`);
  });
  return {
    url: databaseUrl(adminUrl, name),
    name,
    drop: () =>
      withClient(adminUrl, async (client) => void (await client.query(`drop database if exists ${name} with (force)`))),
  };
}
