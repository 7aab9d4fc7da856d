import { operations } from '@finhook/contracts';
import { withClient } from '@finhook/testing';
import type { ApiFixture } from './api-fixture.ts';

/**
 * A company with `count` transactions, a hundred to an hour, whose `external_id` is their number from 1 and whose
 * description has `characters`.
 */
export async function seedTransactions(
  { client, databaseUrl, accountId }: ApiFixture,
  { name, count, characters }: { name: string; count: number; characters: number },
): Promise<string> {
  const { id } = (await client.rest(operations.companies.create, { name })).body;
  await withClient(databaseUrl, (database) =>
    database.query(
      `INSERT INTO bank_transaction (id, account_id, company_id, connection_id, external_id, posted_at, amount_cents,
         currency, currency_inferred, description, source, created_at)
       SELECT 'txn_' || $3 || lpad(i::text, 20, '0'), $1, $2, '', i::text,
         '2026-01-01T00:00:00Z'::timestamptz + (i / 100) * interval '1 hour', i, 'USD', false, repeat('x', $5), 'api', now()
       FROM generate_series(1, $4::int) AS i`,
      [accountId, id, id.slice(-6), count, characters],
    ),
  );
  return id;
}
