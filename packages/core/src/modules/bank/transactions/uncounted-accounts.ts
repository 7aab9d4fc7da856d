import { type Queryable, statement } from '../../../db/queryable.ts';
import { DomainError } from '../../../kernel/domain-error.ts';
import { accountTypeSql, uncountedTypes } from '../../cash/series-sql.ts';
import type { LockedCompany } from '../../companies/lock-company.ts';

const find = statement(
  'find_uncounted_accounts',
  `SELECT s.connection_id FROM unnest($2::text[]) AS s (connection_id)
   LEFT JOIN surface_settings x ON x.company_id = $1
   WHERE ${accountTypeSql('$1', 's.connection_id', 'x.accounts')} IN (${uncountedTypes.map((type) => `'${type}'`).join(', ')})
   ORDER BY s.connection_id LIMIT 1`,
);

/**
 * Throws `account_not_counted` if the rows of one of the connections are in no figure because of the account's type; '' is
 * that of rows without a connection.
 */
export async function rejectUncounted(
  db: Queryable,
  company: LockedCompany,
  connectionIds: Iterable<string>,
): Promise<void> {
  const found = await db.query<{ connection_id: string }>(find, [company.id, [...new Set(connectionIds)]]);
  const [first] = found;
  if (first === undefined) return;
  const account =
    first.connection_id === '' ? 'The account without a connection_id' : `The account ${first.connection_id}`;
  throw new DomainError('account_not_counted', {
    detail: `${account} is an investment, restricted or loan account: its rows are in no figure and take no class. Nothing was changed.`,
  });
}
