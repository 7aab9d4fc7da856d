import type { EnvironmentDatabase } from './environment.ts';
import { sampleBody } from './sample-body.ts';
import type { SeededAccount } from './seed-account.ts';

const chunkRows = 100_000;
const place = 'evt_00000000000000000000000000';

// The id of row i: the time of the account's ids, then the row's number, so that ids ascend.
const tail = `substr($2, 5, 10) || lpad(to_hex(i), 8, '0') || substr(md5(i::text), 1, 8)`;
const rows = `generate_series($3::int, $4::int) AS i`;

const seeds: readonly string[] = [
  `INSERT INTO event (id, account_id, company_id, type, created_at, position, body)
   SELECT 'evt_' || ${tail}, $1, $5, 'bank.balance.updated', now(), i + $6::bigint,
     replace($7, '${place}', 'evt_' || ${tail}) FROM ${rows}`,
  `INSERT INTO delivery (id, account_id, company_id, event_id, event_type, endpoint_id, created_at, updated_at)
   SELECT 'dlv_' || ${tail}, $1, $5, 'evt_' || ${tail}, 'bank.balance.updated', ($6::text[])[1 + i % cardinality($6::text[])],
     now(), now() FROM ${rows}`,
  `INSERT INTO due (delivery_id, account_id, event_id, endpoint_id, position, due_at, next_attempt_at)
   SELECT 'dlv_' || ${tail}, $1, 'evt_' || ${tail}, ($5::text[])[1 + i % cardinality($5::text[])], i + $6::bigint, now(), now()
   FROM ${rows}`,
  `INSERT INTO audit_log (id, account_id, company_id, actor, action, resource_id, request_id, ip, after, created_at, position, event_ids)
   SELECT 'aud_' || ${tail}, $1, $5, $7::jsonb, 'cash.balances.upsert', 'bal_' || ${tail}, 'req_' || ${tail},
     '127.0.0.1', $8::jsonb, now(), i + $6::bigint, ARRAY['evt_' || ${tail}] FROM ${rows}`,
  `INSERT INTO bank_transaction (id, account_id, company_id, connection_id, external_id, posted_at, amount_cents,
     currency, currency_inferred, description, category, source, created_at)
   SELECT 'txn_' || ${tail}, $1, $5, 'stream-' || i % 3, i::text, now() - (i % 540) * interval '1 day',
     CASE WHEN i % 10 = 0 THEN 90000 ELSE -10000 - i % 3 END, 'USD', false, 'Cloud hosting', 'category-' || i % 20, 'bank_sync',
     now() FROM ${rows}`,
];
const balances = `INSERT INTO cash_balance (id, account_id, company_id, connection_id, as_of, balance_cents, currency, source,
     version, created_at, updated_at)
   SELECT 'bal_' || ${tail}, $1, $5, 'stream-' || i % 3, (now() - (i / 3) * interval '1 day')::date, 41250000, 'USD',
     'bank_sync', 1, now(), now() FROM ${rows}`;

const maxBalances = 10_000;

const takePositions = `
  UPDATE account_sequence SET position = position + $2::int, audit_position = audit_position + $2::int
  WHERE account_id = $1 RETURNING position - $2::int AS position, audit_position - $2::int AS audit_position`;

/**
 * The history of a busy account: `count` balance posts (event, due delivery, audit row) and as many transactions of its
 * first company in three bank accounts. Their sums differ, because equal ones would count as one account.
 */
export async function seedHistory(database: EnvironmentDatabase, account: SeededAccount, count: number): Promise<void> {
  const { accountId, companyIds, endpointIds } = account;
  const [companyId = ''] = companyIds;
  const [anyId = ''] = endpointIds;
  const timed = anyId.replace('we_', 'evt_');
  const [taken] = await database.query<{ position: string; audit_position: string }>(takePositions, [accountId, count]);
  const actor = JSON.stringify({ type: 'api_key', id: 'key_bench', name: 'Bench' });
  const after = JSON.stringify({ as_of: '2026-03-02', balance_cents: 41_250_000, currency: 'USD', result: 'updated' });
  const own: readonly (readonly unknown[])[] = [
    [companyId, taken?.position, sampleBody(place, accountId, companyId)],
    [companyId, endpointIds],
    [endpointIds, taken?.position],
    [companyId, taken?.audit_position, actor, after],
    [companyId],
  ];
  for (let from = 1; from <= count; from += chunkRows) {
    const values = [accountId, timed, from, Math.min(count, from + chunkRows - 1)];
    await Promise.all(seeds.map((sql, i) => database.query(sql, [...values, ...(own[i] ?? [])])));
  }
  await database.query(balances, [accountId, timed, 1, Math.min(count, maxBalances), companyId]);
}
