import { type ConnectionOwner, connectionOwner, type operations } from '@finhook/contracts';
import { quotaLock } from '../../../access/quota.ts';
import type { Transaction } from '../../../db/database.ts';
import { type Queryable, statement } from '../../../db/queryable.ts';
import { isRegistered } from '../../../ids/connection-id.ts';
import { recordChange } from '../../../outbox/record-change.ts';
import { transaction } from '../../../outbox/transaction.ts';
import type { Context } from '../../../verbs/context.ts';
import { notFound, rejectFields } from '../../../verbs/domain-error.ts';
import { record } from '../../../verbs/record.ts';
import type { InputOf, Verb } from '../../../verbs/verb.ts';
import { type ApiKey, toApiKey } from '../../accounts/api-keys/api-key.entity.ts';
import { findApiKey } from '../../accounts/api-keys/read.ts';
import { rejectReserved } from '../../accounts/api-keys/reserved-connections.ts';
import { lockCompany } from '../../companies/lock-company.ts';
import { findCompany } from '../../companies/read.ts';

type Op = typeof operations.bank.connections.setOwner;
type Series = Pick<InputOf<Op>, 'company_id' | 'connection_id'>;

const readOwner = statement(
  'read_connection_owner',
  'SELECT key_id FROM series_owner WHERE account_id = $1 AND company_id = $2 AND connection_id = $3',
);
const storeOwner = statement(
  'store_connection_owner',
  `INSERT INTO series_owner (account_id, company_id, connection_id, key_id) VALUES ($1, $2, $3, $4)
   ON CONFLICT (account_id, company_id, connection_id) DO UPDATE SET key_id = excluded.key_id`,
);
const deleteOwner = statement(
  'delete_connection_owner',
  'DELETE FROM series_owner WHERE account_id = $1 AND company_id = $2 AND connection_id = $3',
);
const findRegistered = statement(
  'find_registered_connection',
  'SELECT id FROM bank_connection WHERE account_id = $1 AND company_id = $2 AND id = $3',
);

export const getConnectionOwner: Verb<typeof operations.bank.connections.getOwner> = async (context, input) => {
  await findCompany(context, input.company_id);
  return ownerOf(context.database, context, input);
};

/** Keys are created under the same lock, so that none lists the connection meanwhile. */
export const setConnectionOwner: Verb<Op> = (context, input) =>
  transaction(
    context,
    { records: 'audit', lock: [quotaLock('api_keys', context), seriesOf(input).join('|')] },
    async (tx) => {
      await lockCompany(tx, context, input.company_id);
      const before = await ownerOf(tx, context, input);
      const key_id = input.key_id === null ? null : await newOwner(tx, context, input, input.key_id);
      if (key_id === before.key_id) return before;
      const series = [context.accountId, ...seriesOf(input)];
      await (key_id === null ? tx.query(deleteOwner, series) : tx.query(storeOwner, [...series, key_id]));
      const after = { ...before, key_id };
      recordChange(tx, context, {
        action: 'bank.connections.setOwner',
        companyId: input.company_id,
        resourceId: input.connection_id,
        before,
        after,
      });
      return after;
    },
  );

/** The connection_id as stored: '' for rows without a connection. */
function seriesOf({ company_id, connection_id }: Series): [companyId: string, connectionId: string] {
  return [company_id, connection_id === 'none' ? '' : connection_id];
}

async function ownerOf(db: Queryable, { accountId }: Context, input: Series): Promise<ConnectionOwner> {
  const [company_id, connection_id] = seriesOf(input);
  const values = [accountId, company_id, connection_id];
  if (isRegistered(connection_id) && (await db.query(findRegistered, values)).length === 0)
    throw notFound('bank connection');
  const [row] = await db.query<{ key_id: string }>(readOwner, values);
  return record(connectionOwner, { company_id, connection_id: connection_id || null, key_id: row?.key_id ?? null });
}

/** Returns the first key of the chain of rotations. */
async function newOwner(tx: Transaction, context: Context, input: Series, keyId: string): Promise<string> {
  const key = await findApiKey(tx.em, context, keyId);
  const message = ineligibility(key, input, context.clock.now());
  rejectFields([message === undefined ? undefined : { pointer: '/key_id', code: 'not_applicable', message }]);
  const origin_id = key.origin_id ?? key.id;
  const [company_id, connection_id] = seriesOf(input);
  await rejectReserved(tx, context, { connection_ids: [connection_id], company_ids: [company_id], origin_id });
  return origin_id;
}

function ineligibility(key: ApiKey, input: Series, now: Date): string | undefined {
  const [companyId, connectionId] = seriesOf(input);
  if (key.scope !== 'ingest') return 'must be a key of scope ingest';
  if (toApiKey(key, now).status !== 'active') return 'must be an active key';
  if (key.company_ids?.includes(companyId) === false) return 'must be a key that may access the company';
  if (key.connection_ids?.includes(connectionId) === false) return 'must be a key that lists the connection, or none';
  return undefined;
}
