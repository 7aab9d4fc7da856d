import { statement } from '../../db/queryable.ts';
import { idBeyond, leastId } from '../../lists/keyset.ts';
import type { Context } from '../../verbs/context.ts';

/** Events by which deliveries are selected, the newest. */
const MAX_EVENTS = 1_000;
/** Audit rows of the company that are examined for an ingested record, the newest. */
const MAX_ROWS = 10_000;
/** More than a request takes from storing a row to storing its audit row. */
const REQUEST_MS = 60_000;

const ofRecord = statement(
  'find_events_of_record',
  `SELECT e.id FROM audit_log a CROSS JOIN unnest(a.event_ids) AS e (id)
   WHERE a.account_id = $1 AND a.resource_id = $2
     AND a.action <> 'cash.balances.upsert' AND a.action <> 'bank.transactions.ingest'
   ORDER BY a.id DESC LIMIT ${MAX_EVENTS}`,
);

const findIngested = statement(
  'find_ingested_record',
  `SELECT company_id, created_at, updated_at FROM cash_balance WHERE id = $2 AND account_id = $1
   UNION ALL
   SELECT company_id, created_at, created_at FROM bank_transaction WHERE id = $2 AND account_id = $1`,
);

// The index by record omits ingests: these rows are found by their company and time.
const ingestRows = `
  SELECT a.id, a.event_ids, a.resource_id FROM audit_log a
  WHERE a.account_id = $1 AND a.company_id = $3 AND a.id >= $4 AND a.id < $5
    AND a.created_at >= $6::timestamptz AND a.created_at < $7::timestamptz`;

const ofBalance = statement(
  'find_events_of_balance',
  `SELECT e.id FROM (
     ${ingestRows} AND a.action = 'cash.balances.upsert' ORDER BY a.id DESC LIMIT ${MAX_ROWS}
   ) a CROSS JOIN unnest(a.event_ids) AS e (id)
   WHERE a.resource_id = $2 ORDER BY a.id DESC LIMIT ${MAX_EVENTS}`,
);

// The audit row of an ingest has the id of the request, the event's body those of the transactions.
const ofTransaction = statement(
  'find_event_of_transaction',
  `SELECT e.id FROM (
     ${ingestRows} AND a.action = 'bank.transactions.ingest' ORDER BY a.id DESC LIMIT ${MAX_ROWS}
   ) a CROSS JOIN unnest(a.event_ids) AS e (id)
   WHERE EXISTS (SELECT FROM event v WHERE v.id = e.id AND v.account_id = $1 AND strpos(v.body, $2) > 0 OFFSET 0)
   LIMIT 1`,
);

interface Ingested {
  company_id: string;
  created_at: string;
  updated_at: string;
}

/** Ids of the newest events of the actions on a record; none if it is unknown. The caller checks access to them. */
export async function eventsOfRecord({ accountId, database }: Context, recordId: string): Promise<string[]> {
  const found = await database.query<{ id: string }>(ofRecord, [accountId, recordId]);
  if (/^(bal|txn)_/.test(recordId)) {
    const [record] = await database.query<Ingested>(findIngested, [accountId, recordId]);
    if (record !== undefined)
      found.push(...(await database.query<{ id: string }>(...ingestsOf(accountId, recordId, record))));
  }
  return found.map(({ id }) => id);
}

function ingestsOf(accountId: string, id: string, record: Ingested): [sql: string, values: unknown[]] {
  const from = Date.parse(record.created_at);
  const to = Date.parse(record.updated_at) + REQUEST_MS;
  const bounds = [leastId('aud', from), idBeyond('aud', to), new Date(from).toISOString(), new Date(to).toISOString()];
  return [id.startsWith('bal_') ? ofBalance : ofTransaction, [accountId, id, record.company_id, ...bounds]];
}
