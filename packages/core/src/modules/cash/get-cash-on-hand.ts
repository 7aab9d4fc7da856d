import type { operations } from '@finhook/contracts';
import type { Context } from '../../kernel/context.ts';
import { companyNotFound } from '../../kernel/domain-error.ts';
import { statement } from '../../kernel/queryable.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { type StreamBalance, sumCash } from './cash-on-hand.ts';
import { streamCtes } from './read-streams.ts';

type Op = typeof operations.cash.onHand;

const readOnHand = statement(
  'read_cash_on_hand',
  `WITH RECURSIVE ${streamCtes}
   SELECT c.base_currency, c.today, (SELECT coalesce(json_agg(latest), '[]') FROM latest) AS streams FROM c`,
);

/** Cash on hand per currency today in the company's time zone. */
export async function getCashOnHand(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const [row] = await context.database.query<{ base_currency: string; today: string; streams: StreamBalance[] }>(
    readOnHand,
    [input.company_id, context.accountId, context.clock.now().toISOString()],
  );
  if (!row) throw companyNotFound();
  return {
    object: 'cash_on_hand',
    company_id: input.company_id,
    as_of: row.today,
    lines: sumCash(row.streams, row.base_currency),
  };
}
