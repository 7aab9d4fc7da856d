import { Client, Pool } from 'pg';
import type { EnvironmentDatabase } from './environment.ts';

/** Creates databases as clones; `prefix` starts their names. */
export function createDatabases(
  adminUrl: string,
  prefix: string,
  migrate: (url: string) => Promise<void>,
): () => Promise<EnvironmentDatabase> {
  const template = `${prefix}_template`;
  let count = 0;
  let prepared: Promise<void> | undefined;
  const urlOf = (name: string): string => Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href;
  const asAdmin = async (sql: string): Promise<void> => {
    const admin = new Client({ connectionString: adminUrl });
    await admin.connect();
    await admin.query(sql);
    await admin.end();
  };
  const prepare = async (): Promise<void> => {
    await asAdmin(`CREATE DATABASE ${template}`);
    await migrate(urlOf(template));
  };
  return async () => {
    prepared ??= prepare();
    await prepared;
    const name = `${prefix}_${++count}`;
    await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${template}`);
    // Seeds over two connections, to use both cores.
    const pool = new Pool({ connectionString: urlOf(name), max: 2 });
    return {
      url: urlOf(name),
      async query<Row>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
        const result = await pool.query<Row & Record<string, unknown>>(sql, [...values]);
        return result.rows;
      },
      drop: async () => {
        await pool.end();
        await asAdmin(`DROP DATABASE ${name} WITH (FORCE)`);
      },
    };
  };
}
