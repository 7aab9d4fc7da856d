import { reservingKeySql } from '../../../access/ingest-key.ts';
import { type Queryable, statement } from '../../../db/queryable.ts';
import type { Context } from '../../../verbs/context.ts';
import { DomainError } from '../../../verbs/domain-error.ts';

const findReserving = statement(
  'find_reserving_key',
  `SELECT k.id, l.connection_id FROM api_key k JOIN unnest($4::text[]) AS l (connection_id) ON l.connection_id = ANY (k.connection_ids)
   WHERE ${reservingKeySql('$2', '$3')}
     AND (k.company_ids IS NULL OR $5::text[] IS NULL OR k.company_ids && $5)
   ORDER BY l.connection_id, k.id LIMIT 1`,
);

interface Listing {
  connection_ids: readonly string[] | null;
  /** Null for all companies. */
  company_ids: readonly string[] | null;
  /** First key of the chain of rotations; '' for a new key. */
  origin_id?: string;
}

/** Callers hold the lock of the keys' quota, so that concurrent requests see each other. */
export async function rejectReserved(
  db: Queryable,
  { accountId, access, clock }: Context,
  { connection_ids, company_ids, origin_id = '' }: Listing,
): Promise<void> {
  if (connection_ids === null) return;
  const values = [accountId, origin_id, clock.now().toISOString(), connection_ids, company_ids];
  const [found] = await db.query<{ id: string; connection_id: string }>(findReserving, values);
  if (found === undefined) return;
  // A restricted key may not know the other key.
  const other = access.companyIds === undefined ? `the key ${found.id}` : 'another key';
  throw new DomainError('connection_owned', {
    detail:
      `The connection_id ${found.connection_id} is listed by ${other} of scope ingest, which is active. Revoke that key first, ` +
      'or leave the connection out. PUT /companies/{company_id}/connections/{connection_id}/owner then hands its data over.',
    extra: { owner_scope: 'ingest' },
  });
}
