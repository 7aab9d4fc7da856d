import { createTestDatabase, ensureTemplate, type TestDatabase } from '@finhook/testing';
import { openCore } from '../src/index.ts';

const TEMPLATE = 'finhook_migrated';
const secretsKey = Buffer.alloc(32, 7).toString('base64');

/** A database of one's own on the run's PostgreSQL, up to date: a clone of one that is migrated once per run. */
export async function createMigratedDatabase(adminUrl: string): Promise<TestDatabase> {
  await ensureTemplate(adminUrl, TEMPLATE, migrateDatabase);
  return createTestDatabase(adminUrl, { template: TEMPLATE });
}

export async function migrateDatabase(databaseUrl: string): Promise<void> {
  const { database } = await openCore({ databaseUrl, secretsKey, allowInsecureWebhooks: true });
  await database.migrate();
  await database.close();
}
