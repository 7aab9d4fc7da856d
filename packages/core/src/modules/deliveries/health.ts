import type { DeliveryHealth, operations } from '@finhook/contracts';
import { accessibleCompanies, companyAccessSql } from '../../access/access.ts';
import { statement } from '../../db/queryable.ts';
import { idTime, readIdTime } from '../../ids/ids.ts';
import { toTimestamp } from '../../time/clock.ts';
import type { Context } from '../../verbs/context.ts';
import type { InputOf, OutputOf } from '../../verbs/verb.ts';

type Op = typeof operations.webhookEndpoints.health;

const DAY_MS = 24 * 3_600_000;
/** Limit of deliveries per call, because an open page polls. */
const MAX_COUNTED = 20_000;

// The row without an hour has the totals. The limit applies before the filter by company, which has no index.
const count = statement(
  'read_delivery_health',
  `WITH newest AS MATERIALIZED (
     SELECT id, company_id, status, attempt_count, created_at, updated_at FROM delivery
     WHERE account_id = $1 AND id > $2 ORDER BY id DESC LIMIT $5::int
   )
   SELECT hour, (SELECT count(*)::int FROM newest) AS total, (SELECT min(id) FROM newest) AS first,
     count(*) FILTER (WHERE status = 'succeeded')::int AS succeeded,
     count(*) FILTER (WHERE status = 'failed')::int AS failed,
     count(*) FILTER (WHERE status = 'pending' AND attempt_count > 0)::int AS retrying,
     count(*) FILTER (WHERE status = 'pending' AND attempt_count = 0)::int AS waiting,
     count(*) FILTER (WHERE status = 'cancelled')::int AS cancelled,
     (percentile_disc(0.5) WITHIN GROUP (ORDER BY took) FILTER (WHERE status = 'succeeded'))::int AS latency_p50_ms,
     (percentile_disc(0.95) WITHIN GROUP (ORDER BY took) FILTER (WHERE status = 'succeeded'))::int AS latency_p95_ms
   FROM (
     SELECT status, attempt_count, date_trunc('hour', created_at, 'UTC') AS hour,
            extract(epoch FROM updated_at - created_at) * 1000 AS took
     FROM newest WHERE ${companyAccessSql('$3')} AND ($4::text IS NULL OR company_id = $4)
   ) d
   GROUP BY GROUPING SETS ((), (hour)) ORDER BY hour NULLS FIRST`,
);

type Figures = Omit<DeliveryHealth['hours'][number], 'from'>;
type Row = Figures & { hour: string | null; total: number; first: string | null };

export async function getDeliveryHealth(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const now = context.clock.now();
  const [whole, ...hours] = await context.database.query<Row>(count, [
    context.accountId,
    `dlv_${idTime(now.getTime() - DAY_MS)}`,
    accessibleCompanies(context),
    input.company_id ?? null,
    MAX_COUNTED,
  ]);
  if (whole === undefined) throw new Error('The deliveries could not be counted.');
  const isCut = whole.total === MAX_COUNTED;
  return {
    object: 'delivery_health',
    as_of: now.toISOString(),
    counted_from: isCut ? new Date(readIdTime(whole.first ?? '')).toISOString() : null,
    ...toFigures(whole),
    hours: hours.map((row) => ({ from: toTimestamp(row.hour ?? ''), ...toFigures(row) })),
  };
}

function toFigures({ hour: _hour, total: _total, first: _first, ...figures }: Row): Figures {
  return figures;
}
