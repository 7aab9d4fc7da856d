import { audit } from '../../kernel/audit.ts';
import type { Core } from '../../kernel/context.ts';
import { emit } from '../../kernel/emit.ts';
import { systemContext } from '../../kernel/system-context.ts';
import { transaction } from '../../kernel/transaction.ts';
import { addCompany } from '../companies/create-company.ts';
import { Account } from './account.entity.ts';
import { isWellFormedKey } from './key-format.ts';
import { fullAuthority, mintKey } from './mint-key.ts';

export interface NewAccount {
  name: string;
  mode: 'live' | 'test';
  companyName: string;
  /** A first key chosen by the operator (`BOOTSTRAP_API_KEY`); otherwise one is generated. */
  key?: string | undefined;
}

export interface OpenedAccount {
  accountId: string;
  companyId: string;
  apiKey: string;
}

/** Creates an account with its first human-scope key and a company. The key is returned here and nowhere else. */
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
    tx.em.create(Account, { id: accountId, name: input.name, mode: input.mode, createdAt: now, updatedAt: now });
    await tx.em.flush();
    const { key, entity } = mintKey(tx, context, {
      mode: input.mode,
      name: 'First key',
      scope: 'human',
      authority: fullAuthority,
      key: input.key,
    });
    await tx.em.flush();
    const record = entity.toRecord(now);
    await audit(tx, context, { action: 'accounts.open', resourceId: accountId, after: record });
    await emit(tx, context, { type: 'api_key.created', data: record });
    const company = await addCompany(tx, context, { name: input.companyName });
    return { accountId, companyId: company.id, apiKey: key };
  });
}
