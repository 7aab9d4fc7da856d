import type { operations } from '@finhook/contracts';
import { statement } from '../../db/queryable.ts';
import { assertCompanyAccess } from '../../kernel/access.ts';
import { openZone, type Zone } from '../../kernel/calendar.ts';
import type { Context } from '../../kernel/context.ts';
import { companyNotFound } from '../../kernel/domain-error.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { type CashView, type JudgedSeries, toCashOnHand } from './cash-on-hand.ts';
import { seriesCtes } from './read-series.ts';

type Op = typeof operations.cash.onHand;

interface Row {
  base_currency: string;
  timezone: string;
  today: string;
  series: JudgedSeries[];
}

const readSeries = statement(
  'read_cash_series',
  `WITH RECURSIVE ${seriesCtes}
   SELECT c.base_currency, c.timezone, c.today,
          (SELECT coalesce(json_agg(judged ORDER BY connection_id), '[]') FROM judged) AS series
   FROM c`,
);

export async function getCashOnHand(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  return toCashOnHand(await readCash(context, input.company_id));
}

/** The balances of a company's current cash. Throws `company_not_found` if the caller may not access it. */
export async function readCash(context: Context, companyId: string): Promise<CashView & { zone: Zone }> {
  assertCompanyAccess(context, companyId);
  const now = context.clock.now();
  const [row] = await context.database.query<Row>(readSeries, [companyId, context.accountId, now.toISOString()]);
  if (!row) throw companyNotFound();
  return {
    companyId,
    baseCurrency: row.base_currency,
    today: row.today,
    now: now.getTime(),
    zone: openZone(row.timezone),
    series: row.series,
  };
}
