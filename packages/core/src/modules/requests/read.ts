import { loggedRequest, type operations } from '@finhook/contracts';
import { byId, Filters } from '../../lists/keyset.ts';
import type { Context } from '../../verbs/context.ts';
import { notFound } from '../../verbs/domain-error.ts';
import { type RowOf, record } from '../../verbs/record.ts';
import { listVerb, type Verb } from '../../verbs/verb.ts';

type RequestRow = RowOf<typeof loggedRequest>;

// Paths contain company ids, which a restricted key may not see.
function filterReadable(filters: Filters, { accountId, access, keyId }: Context): void {
  filters.where(accountId, 'account_id = ?');
  if (access.companyIds !== undefined) filters.where(keyId, 'key_id = ?');
}

export const listRequests = listVerb<typeof operations.requests.list, RequestRow>({
  table: 'request_log',
  prefix: 'req',
  sort: [byId('req')],
  times: false,
  filters(filters, context, input) {
    filterReadable(filters, context);
    filters.whereEqual(input, ['key_id', 'operation', 'code']);
    if (input.outcome !== undefined) filters.add(input.outcome === 'failed' ? 'status >= 400' : 'status < 400');
    filters.whereIdTimes('req', input);
  },
  map: (row) => record(loggedRequest, row),
});

export const getRequest: Verb<typeof operations.requests.get> = async (context, { request_id }) => {
  const filters = new Filters();
  filterReadable(filters, context);
  filters.where(request_id, 'id = ?');
  const sql = `SELECT * FROM request_log WHERE ${filters.sql}`;
  const [row] = await context.database.query<RequestRow>(sql, filters.values);
  if (!row) throw notFound('request');
  return record(loggedRequest, row);
};
