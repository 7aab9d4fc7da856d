import type { operations, PlannedFiling } from '@finhook/contracts';
import { type Queryable, statement } from '../../db/queryable.ts';
import { addDays, daysBetween } from '../../time/calendar.ts';
import type { OutputOf } from '../../verbs/verb.ts';
import { filingFieldsOf, type MatrixRow } from './matrix.ts';
import type { ResyncPlan } from './plan-resync.ts';

type NearbyFiling = Pick<PlannedFiling, 'type' | 'title' | 'jurisdiction' | 'due_date'> &
  Pick<PlannedFiling['likely_duplicates'][number], 'id' | 'status'> & { obligation_key: string | null };

/** Business days and holidays move a due date by so many days at most. */
const NEARBY_DAYS = 5;

const readNearby = statement(
  'read_filings_nearby',
  `SELECT id, type, title, jurisdiction, due_date, status, obligation_key FROM filing
   WHERE company_id = $1 AND due_date >= $2::date AND due_date <= $3::date AND id <> ALL ($4::text[])
   ORDER BY due_date, id`,
);

/** What a dry run returns besides the report. `opened` are the filings of the plan, which the dry run takes back. */
export async function describePlan(
  db: Queryable,
  companyId: string,
  { toOpen, changes }: ResyncPlan,
  opened: readonly { id: string }[],
): Promise<Pick<OutputOf<typeof operations.compliance.resync>, 'dry_run' | 'planned_filings' | 'planned_changes'>> {
  const days = toOpen.map(({ due_date }) => due_date);
  const [first, last] = [days[0], days.at(-1)];
  const nearby =
    first === undefined || last === undefined
      ? []
      : await db.query<NearbyFiling>(readNearby, [
          companyId,
          addDays(first, -NEARBY_DAYS),
          addDays(last, NEARBY_DAYS),
          opened.map(({ id }) => id),
        ]);
  return {
    dry_run: true,
    planned_filings: toOpen.map((row) => ({
      ...filingFieldsOf(row),
      likely_duplicates: likelyDuplicates(row, nearby).map(({ id, title, due_date, status }) => ({
        id,
        title,
        due_date,
        status,
      })),
    })),
    planned_changes: changes,
  };
}

/** The rule that the field `likely_duplicates` describes. */
function likelyDuplicates(row: MatrixRow, nearby: readonly NearbyFiling[]): NearbyFiling[] {
  const form = formOf(row.texts.title);
  return nearby.filter(
    (filing) =>
      filing.type === row.texts.filing_type &&
      (filing.jurisdiction === null || filing.jurisdiction === row.texts.jurisdiction) &&
      (filing.obligation_key === null || filing.obligation_key === row.key) &&
      Math.abs(daysBetween(filing.due_date, row.due_date)) <= NEARBY_DAYS &&
      (form === undefined || (formOf(filing.title) ?? form) === form),
  );
}

/** `941` of "Form 941, quarterly return". */
function formOf(title: string): string | undefined {
  return /\bform\s+([a-z0-9-]*\d[a-z0-9-]*)/i.exec(title)?.[1]?.toLowerCase();
}
