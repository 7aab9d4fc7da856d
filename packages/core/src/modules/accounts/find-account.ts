import type { Core } from '../../kernel/context.ts';

/** Whether the database has this account, or any if none is named. For programs that start the service. */
export async function hasAccount({ database }: Core, accountId?: string): Promise<boolean> {
  const any = 'SELECT id FROM account LIMIT 1';
  const one = 'SELECT id FROM account WHERE id = $1';
  const found = accountId === undefined ? await database.query(any) : await database.query(one, [accountId]);
  return found.length > 0;
}

/** The id of the account's oldest company. */
export async function findFirstCompany({ database }: Core, accountId: string): Promise<string | undefined> {
  const sql = 'SELECT id FROM company WHERE account_id = $1 ORDER BY id LIMIT 1';
  const [company] = await database.query<{ id: string }>(sql, [accountId]);
  return company?.id;
}
