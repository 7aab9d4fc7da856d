import { type Queryable, statement } from '../../../db/queryable.ts';
import { accountName } from '../../../ids/connection-id.ts';
import { DomainError } from '../../../verbs/domain-error.ts';
import { accountTypeSql, typesSql, uncountedTypes } from '../../cash/series-sql.ts';
import type { LockedCompany } from '../../companies/lock-company.ts';
import type { TransactionRow } from './transaction-row.ts';

type Classified = Pick<TransactionRow, 'connection_id'> & { flow_class?: string | null | undefined };

const find = statement(
  'find_uncounted_accounts',
  `SELECT s.connection_id FROM unnest($2::text[]) AS s (connection_id)
   LEFT JOIN surface_settings x ON x.company_id = $1
   WHERE ${accountTypeSql('$1', 's.connection_id', 'x.accounts')} IN ${typesSql(uncountedTypes)}
   ORDER BY s.connection_id`,
);

/** Throws `account_not_counted` if a row gets another class, though its account's type is in no figure. */
export async function rejectUncounted(
  db: Queryable,
  company: LockedCompany,
  rows: readonly Classified[],
  flowClass: string | null | undefined,
): Promise<void> {
  if (flowClass == null) return;
  const changing = rows.filter(({ flow_class }) => flow_class !== flowClass);
  if (changing.length === 0) return;
  const byAccount = Map.groupBy(changing, ({ connection_id }) => connection_id ?? '');
  const found = await db.query<{ connection_id: string }>(find, [company.id, [...byAccount.keys()]]);
  const [first] = found;
  if (first === undefined) return;
  const count = found.reduce((sum, { connection_id }) => sum + (byAccount.get(connection_id)?.length ?? 0), 0);
  throw new DomainError('account_not_counted', {
    detail: `${subject(first.connection_id, found.length - 1)}, whose rows are in no figure and take no class. Nothing was changed.`,
    extra: { connection_ids: found.map(({ connection_id }) => connection_id || 'none'), count },
  });
}

function subject(connectionId: string, others: number): string {
  const account = `The ${accountName(connectionId)}`;
  const kind = 'of the type investment, restricted or loan';
  return others === 0 ? `${account} is ${kind}` : `${account} and ${others} more are ${kind}`;
}
