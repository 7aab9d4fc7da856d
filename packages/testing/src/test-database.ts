import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser URL of the run's PostgreSQL server, database `postgres`. */
    pgUrl: string;
  }
}

export interface TestDatabase {
  readonly url: string;
  readonly name: string;
  /** Removes the database and ends its connections. */
  drop(): Promise<void>;
}

/** Empty, or a clone of a template of `ensureTemplate`. */
export async function createTestDatabase(
  adminUrl: string,
  options: { readonly template?: string } = {},
): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await withClient(adminUrl, (client) => {
    const template = client.escapeIdentifier(options.template ?? 'template1');
    // Cheaper than the WAL, because these servers don't wait for the disk.
    return client.query(`create database ${name} template ${template} strategy file_copy`);
  });
  return {
    url: databaseUrl(adminUrl, name),
    name,
    drop: () =>
      withClient(adminUrl, async (client) => void (await client.query(`drop database if exists ${name} with (force)`))),
  };
}

/**
 * Creates the template database `name` once per server for all test processes: `migrate` gets the URL of an empty
 * database and must close its connections. A failed migration leaves no template.
 */
export async function ensureTemplate(
  adminUrl: string,
  name: string,
  migrate: (url: string) => Promise<void>,
): Promise<void> {
  await withClient(adminUrl, (client) =>
    withAdvisoryLock(client, `finhook-template:${name}`, async () => {
      const found = await client.query('select 1 from pg_database where datname = $1', [name]);
      if (found.rowCount !== 0) return;
      const draft = client.escapeIdentifier(`${name}_draft`);
      await client.query(`drop database if exists ${draft} with (force)`);
      await client.query(`create database ${draft}`);
      await migrate(databaseUrl(adminUrl, `${name}_draft`));
      await client.query(`alter database ${draft} rename to ${client.escapeIdentifier(name)}`);
      // A connection to the template would make every clone fail.
      await client.query(`alter database ${client.escapeIdentifier(name)} is_template true allow_connections false`);
    }),
  );
}

export async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

async function withAdvisoryLock<T>(client: Client, name: string, use: () => Promise<T>): Promise<T> {
  await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
  try {
    return await use();
  } finally {
    await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [name]);
  }
}

function databaseUrl(adminUrl: string, database: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  return url.href;
}
