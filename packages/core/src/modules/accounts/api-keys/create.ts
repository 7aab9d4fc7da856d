import type { FieldError, operations } from '@finhook/contracts';
import { accessibleCompanies } from '../../../access/access.ts';
import { assertQuota, quotaLock } from '../../../access/quota.ts';
import { type Queryable, statement } from '../../../db/queryable.ts';
import { isRegistered, unknownConnection } from '../../../ids/connection-id.ts';
import { recordChange } from '../../../outbox/record-change.ts';
import { transaction, type UnitOfWork } from '../../../outbox/transaction.ts';
import type { Context } from '../../../verbs/context.ts';
import { rejectFields, unknownCompany } from '../../../verbs/domain-error.ts';
import type { InputOf, OutputOf, Verb } from '../../../verbs/verb.ts';
import { Account } from '../account.ts';
import { insertKey } from './api-key.entity.ts';
import { type Authority, grantedAuthority, ownAuthority } from './key-authority.ts';
import { rejectReserved } from './reserved-connections.ts';

type Op = typeof operations.apiKeys.create;

const knownCompanies = statement(
  'known_companies',
  'SELECT id FROM company WHERE account_id = $1 AND id = ANY ($2::text[])',
);
const knownConnections = statement(
  'known_connections',
  `SELECT id FROM bank_connection
   WHERE account_id = $1 AND id = ANY ($2::text[]) AND ($3::text[] IS NULL OR company_id = ANY ($3))`,
);
// A restricted key knows the agents that are or were attached to its companies.
const knownAgent = statement(
  'known_agent',
  `SELECT a.id FROM agent a WHERE a.id = $1 AND a.account_id = $2 AND ($3::text[] IS NULL OR EXISTS (
     SELECT FROM agent_binding b WHERE b.agent_id = a.id AND b.company_id = ANY ($3)))`,
);

export const createApiKey: Verb<Op> = (context, input) =>
  transaction(context, { records: 'audit and event', lock: quotaLock('api_keys', context) }, (tx) =>
    addApiKey(tx, context, input),
  );

/** The transaction must hold the lock of the quota. */
export async function addApiKey(tx: UnitOfWork, context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const { granted, errors } = grantedAuthority(input, ownAuthority(context.access), context.clock.now());
  rejectFields([
    ...errors,
    ...(await companyErrors(tx, context, input)),
    await agentError(tx, context, input),
    ...(await connectionErrors(tx, context, input, granted)),
  ]);
  await rejectReserved(tx, context, { connection_ids: input.connection_ids ?? null, company_ids: granted.company_ids });
  await assertQuota(tx, context, 'api_keys');
  const account = await tx.em.findOneOrFail(Account, context.accountId);
  const { key, created } = await insertKey(tx, context, {
    mode: account.mode,
    name: input.name,
    scope: input.scope,
    authority: granted,
    agentId: input.agent_id ?? null,
    connectionIds: unique(input.connection_ids),
    sources: unique(input.sources),
  });
  const event = { type: 'api_key.created', data: created } as const;
  recordChange(tx, context, { action: 'apiKeys.create', after: created, event });
  return { ...created, key };
}

async function companyErrors(db: Queryable, context: Context, input: InputOf<Op>): Promise<FieldError[]> {
  // A restricted key does not learn whether other companies exist: `grantedAuthority` rejects them all.
  if (input.company_ids == null || context.access.companyIds !== undefined) return [];
  const rows = await db.query<{ id: string }>(knownCompanies, [context.accountId, input.company_ids]);
  const known = new Set(rows.map(({ id }) => id));
  return input.company_ids.flatMap((id, i) => (known.has(id) ? [] : [unknownCompany(`/company_ids/${i}`)]));
}

async function agentError(db: Queryable, context: Context, input: InputOf<Op>): Promise<FieldError | undefined> {
  const pointer = '/agent_id';
  if (input.scope !== 'agent') {
    if (input.agent_id == null) return undefined;
    return { pointer, code: 'not_applicable', message: 'is only allowed for keys of scope agent' };
  }
  if (input.agent_id == null) {
    return { pointer, code: 'required', message: 'is required for a key of scope agent' };
  }
  const rows = await db.query(knownAgent, [input.agent_id, context.accountId, accessibleCompanies(context)]);
  return rows.length > 0 ? undefined : { pointer, code: 'agent_not_found', message: 'is not an agent of this account' };
}

function unique(values: readonly string[] | null | undefined): string[] | null {
  return values == null ? null : [...new Set(values)];
}

async function connectionErrors(
  db: Queryable,
  { accountId }: Context,
  { scope, connection_ids: ids, sources }: InputOf<Op>,
  { company_ids }: Authority,
): Promise<FieldError[]> {
  if (scope !== 'ingest') {
    return Object.entries({ connection_ids: ids, sources }).flatMap(([name, value]) =>
      value == null
        ? []
        : [{ pointer: `/${name}`, code: 'not_applicable', message: 'is only allowed for keys of scope ingest' }],
    );
  }
  if (!ids?.some(isRegistered)) return [];
  const rows = await db.query<{ id: string }>(knownConnections, [accountId, ids, company_ids]);
  const known = new Set(rows.map(({ id }) => id));
  return ids.flatMap((id, i) =>
    isRegistered(id) && !known.has(id) ? [unknownConnection(`/connection_ids/${i}`)] : [],
  );
}
