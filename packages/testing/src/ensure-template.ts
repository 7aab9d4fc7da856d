import { databaseUrl, withAdvisoryLock, withClient } from './with-client.ts';

/**
 * Makes the template database `name` once per server, however many workers ask: `migrate` gets the URL of an empty
 * database, and has to close all its connections before it resolves. A failed migration leaves no template behind.
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
      // Nobody may connect to it: a connection would make every clone fail.
      await client.query(`alter database ${client.escapeIdentifier(name)} is_template true allow_connections false`);
    }),
  );
}
