import { type Actor, me, type operations, type Scope } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';
import { statement, systemStatement } from '../../db/queryable.ts';
import { recordChange } from '../../outbox/record-change.ts';
import { transaction } from '../../outbox/transaction.ts';
import { type Context, type Core, systemContext } from '../../verbs/context.ts';
import { notFound } from '../../verbs/domain-error.ts';
import { record } from '../../verbs/record.ts';
import type { OutputOf } from '../../verbs/verb.ts';
import { addCompany } from '../companies/create.ts';
import { ApiKey, fullAuthority, insertKey } from './api-keys/api-key.entity.ts';
import { isWellFormedKey } from './api-keys/key-format.ts';
import { cellOf } from './cell.ts';

const AccountSchema = defineEntity({
  name: 'Account',
  tableName: 'account',
  properties: {
    id: p.text().primary(),
    name: p.text(),
    mode: p.text().$type<'live' | 'test'>(),
    created_at: p.datetime(),
    updated_at: p.datetime(),
  },
});

/** A customer of the service; the data of two accounts is never mixed. */
export class Account extends AccountSchema.class {}
AccountSchema.setClass(Account);

const { account: accountSchema, api_key: keySchema } = me.shape;

export async function getMe(context: Context): Promise<OutputOf<typeof operations.me.get>> {
  const em = context.database.em();
  const account = await em.findOneOrFail(Account, context.accountId);
  const key = await em.findOneOrFail(ApiKey, { id: context.keyId, account_id: context.accountId });
  return { object: 'me', account: record(accountSchema, account), api_key: record(keySchema, key) };
}

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
  const named = input.key && cellOf(input.key);
  if (named !== undefined && named !== core.cell) {
    throw new Error(`BOOTSTRAP_API_KEY is a key of the cell ${named}, and CELL is ${core.cell || 'not set'}.`);
  }
  const accountId = core.newId('acct');
  const context = systemContext(core, accountId, 'account_create');
  return transaction(context, async (tx) => {
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
    recordChange(tx, context, { action: 'accounts.open', resourceId: accountId, after: created, event });
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

export interface NewAccountKey {
  accountId?: string | undefined;
  name: string;
  scope: Scope;
  /** Of a key of scope `agent`. */
  agentId?: string | undefined;
}

const operator: Actor = { type: 'staff', id: 'operator', name: 'Operator' };

const findAccount = systemStatement(
  'find_account_for_key',
  'SELECT id, mode FROM account WHERE $1::text IS NULL OR id = $1 ORDER BY created_at, id LIMIT 1',
);

const findAgent = statement('find_agent_for_key', 'SELECT id FROM agent WHERE id = $1 AND account_id = $2');

/**
 * Creates a key of an existing account for a person without one. For operators: a request cannot add a person. Throws
 * `not_found` for an unknown account or agent.
 */
export async function createAccountKey(
  core: Core,
  input: NewAccountKey,
): Promise<{ accountId: string; keyId: string; apiKey: string }> {
  const values = [input.accountId ?? null];
  const [account] = await core.database.query<{ id: string; mode: 'live' | 'test' }>(findAccount, values);
  if (!account) throw notFound('account');
  const context: Context = { ...systemContext(core, account.id, 'account_key'), actor: operator };
  return transaction(context, async (tx) => {
    const { name, scope, agentId } = input;
    const { mode } = account;
    if (scope === 'agent' && (await tx.query(findAgent, [agentId ?? '', account.id])).length === 0)
      throw notFound('agent');
    const { key, created } = await insertKey(tx, context, {
      mode,
      name,
      scope,
      authority: fullAuthority,
      agentId: scope === 'agent' ? (agentId ?? null) : null,
    });
    const event = { type: 'api_key.created', data: created } as const;
    recordChange(tx, context, { action: 'apiKeys.create', after: created, event });
    return { accountId: account.id, keyId: created.id, apiKey: key };
  });
}
