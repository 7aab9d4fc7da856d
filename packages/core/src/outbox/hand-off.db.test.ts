// Risk: a worker sends under a lease that has ended, because it counts on a longer one than the database has.
import { expect, test } from 'vitest';
import { emitMany, newEndpoint } from '../../test/attempt-of.ts';
import { useFixture } from '../../test/core-fixture.ts';
import { upsertCashBalance } from '../modules/cash/balances/upsert.ts';
import type { Context } from '../verbs/context.ts';
import { type HandOff, newDeliveryLeaseMs } from './delivery-queue.ts';

const fixture = useFixture();

test.each<readonly [string, string, (context: Context, companyId: string) => Promise<unknown>]>([
  ['a change', 'api_key.created', (context) => emitMany(context, 1)],
  [
    'a post of a balance',
    'bank.balance.updated',
    (context, company_id) =>
      upsertCashBalance(context, { company_id, as_of: '2026-01-01', balance_cents: 1, currency: 'USD' }),
  ],
])('the hand-off of %s is not newer than its leases', async (_, type, emit) => {
  const { context, companyId } = await fixture.otherAccount();
  await newEndpoint(context, { events: [type] });
  const handOffs: HandOff[] = [];
  const queue = { leaseMs: () => newDeliveryLeaseMs, add: (added: readonly HandOff[]) => void handOffs.push(...added) };
  await emit({ ...context, queue }, companyId);
  const [lease] = await context.database.query<{ began: number }>(
    `SELECT (extract(epoch FROM lease_until) * 1000)::float8 - $2::int AS began FROM due WHERE account_id = $1`,
    [context.accountId, newDeliveryLeaseMs],
  );
  expect(handOffs).toHaveLength(1);
  expect(handOffs[0]?.at).toBeLessThanOrEqual(lease?.began ?? 0);
});
