import { type Core, systemContext } from '../../kernel/context.ts';
import { recordChange } from '../../kernel/record-change.ts';
import { transaction } from '../../kernel/transaction.ts';
import { addCompany } from '../companies/create.ts';
import { Account } from './account.entity.ts';
import { fullAuthority, insertKey } from './api-keys/insert-key.ts';
import { isWellFormedKey } from './api-keys/key-format.ts';

export interface NewAccount {
  name: string;
  mode: 'live' | 'test';
  companyName: string;
  /** The first key chosen by the operator (`BOOTSTRAP_API_KEY`); by default one is generated. */
  key?: string | undefined;
}

export interface OpenedAccount {
  accountId: string;
  companyId: string;
  apiKey: string;
}

/** Creates an account with a company and its first key, with scope human. Only this result contains the key. */
export async function openAccount(core: Core, input: NewAccount): Promise<OpenedAccount> {
  if (input.key !== undefined && !isWellFormedKey(input.key)) {
    throw new Error(
      'BOOTSTRAP_API_KEY is not a key of this service: sk_live_ or sk_test_, 30 characters and a checksum.',
    );
  }
  const accountId = core.newId('acct');
  const context = systemContext(core, accountId, 'account_create');
  return transaction(core, async (tx) => {
    const now = core.clock.now();
    tx.em.create(Account, { id: accountId, name: input.name, mode: input.mode, created_at: now, updated_at: now });
    await tx.em.flush();
    const { key, created } = await insertKey(tx, context, {
      mode: input.mode,
      name: 'First key',
      scope: 'human',
      authority: fullAuthority,
      key: input.key,
    });
    const event = { type: 'api_key.created', data: created } as const;
    await recordChange(tx, context, { action: 'accounts.open', resourceId: accountId, after: created, event });
    const company = await addCompany(tx, context, { name: input.companyName });
    return { accountId, companyId: company.id, apiKey: key };
  });
}

/** Returns true if the database has this account, or any account when no id is given. */
export async function hasAccount({ database }: Core, accountId?: string): Promise<boolean> {
  const any = 'SELECT id FROM account LIMIT 1';
  const one = 'SELECT id FROM account WHERE id = $1';
  const found = accountId === undefined ? await database.query(any) : await database.query(one, [accountId]);
  return found.length > 0;
}

export async function findFirstCompany({ database }: Core, accountId: string): Promise<string | undefined> {
  const sql = 'SELECT id FROM company WHERE account_id = $1 ORDER BY id LIMIT 1';
  const [company] = await database.query<{ id: string }>(sql, [accountId]);
  return company?.id;
}
