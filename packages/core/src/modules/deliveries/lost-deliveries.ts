import { systemStatement } from '../../db/queryable.ts';
import type { Core } from '../../verbs/context.ts';

/** Every accepted delivery is terminal or scheduled; any other is lost. */
interface DeliveryCounts {
  accepted: number;
  terminal: number;
  scheduled: number;
}

interface CountedPage extends DeliveryCounts {
  next: string | undefined;
}

const countPage = systemStatement(
  'count_deliveries_page',
  `WITH p AS MATERIALIZED (SELECT id, status FROM delivery WHERE id > $1 ORDER BY id LIMIT $2::int)
   SELECT count(*)::int AS accepted,
     count(*) FILTER (WHERE p.status IN ('succeeded', 'failed', 'cancelled'))::int AS terminal,
     count(*) FILTER (WHERE p.status NOT IN ('succeeded', 'failed', 'cancelled')
       AND EXISTS (SELECT FROM due d WHERE d.delivery_id = p.id))::int AS scheduled,
     max(p.id) AS last
   FROM p`,
);

export async function countDeliveriesPage(core: Core, after: string, size: number): Promise<CountedPage> {
  const [row] = await core.database.query<DeliveryCounts & { last: string | null }>(countPage, [after, size]);
  if (row === undefined) throw new Error('The deliveries could not be counted.');
  const { accepted, terminal, scheduled, last } = row;
  return { accepted, terminal, scheduled, next: accepted < size || last === null ? undefined : last };
}

interface CompleteCount extends DeliveryCounts {
  readonly at: Date;
}

export interface LostDeliveries {
  readonly whole: CompleteCount | undefined;
  readonly lost: number;
  readonly counted: number;
}

export interface LostDeliveryCheck {
  /** Continues the count. `lost` is the maximum of the last complete count and this one, `counted` this one's rows. */
  step(): Promise<LostDeliveries>;
}

const pageSize = 5_000;
const nothing: DeliveryCounts = { accepted: 0, terminal: 0, scheduled: 0 };

/** Checks accepted − terminal − scheduled = 0 over all deliveries, repeatedly. A step begins pages for `stepMs`. */
export function createLostDeliveryCheck(core: Core, stepMs = 100): LostDeliveryCheck {
  let after = '';
  let sum = nothing;
  let whole: CompleteCount | undefined;
  return {
    step: async () => {
      const endsAt = performance.now() + stepMs;
      do {
        const page = await countDeliveriesPage(core, after, pageSize);
        sum = add(sum, page);
        after = page.next ?? '';
        if (page.next === undefined) {
          whole = { ...sum, at: core.clock.now() };
          sum = nothing;
        }
      } while (after !== '' && performance.now() < endsAt);
      return { whole, counted: sum.accepted, lost: Math.max(lostOf(sum), whole === undefined ? 0 : lostOf(whole)) };
    },
  };
}

function add(a: DeliveryCounts, b: DeliveryCounts): DeliveryCounts {
  return {
    accepted: a.accepted + b.accepted,
    terminal: a.terminal + b.terminal,
    scheduled: a.scheduled + b.scheduled,
  };
}

function lostOf({ accepted, terminal, scheduled }: DeliveryCounts): number {
  return accepted - terminal - scheduled;
}
