import {
  type ComplianceDueDate,
  type ComplianceItem,
  type ComplianceMatrix,
  type ComplianceStatus,
  complianceDueDate,
  type operations,
  type Warning,
} from '@finhook/contracts';
import { type Queryable, statement } from '../../db/queryable.ts';
import { dateInZone } from '../../time/calendar.ts';
import { toTimestamp } from '../../time/clock.ts';
import type { Context } from '../../verbs/context.ts';
import { record } from '../../verbs/record.ts';
import type { Verb } from '../../verbs/verb.ts';
import { findCompany } from '../companies/read.ts';
import type { DueDate } from './due-dates.ts';
import { LOOKED_UP_ON, type Obligation } from './obligation.ts';
import { factsOf, factWarnings } from './select-obligations.ts';

export type ObligationTexts = Pick<
  ComplianceItem,
  'title' | 'filing_type' | 'jurisdiction' | 'frequency' | 'source' | 'note'
>;

export interface MatrixRow extends DueDate {
  key: string;
  texts: ObligationTexts;
  /** Null until twelve months before the due date. */
  filing_id: string | null;
}

export interface KnownFiling {
  id: string;
  key: string;
  /** `YYYY-MM-DD`. */
  due_date: string;
  isOpen: boolean;
}

/** The fields of the filing that a row opens, also of one that is only planned. */
export function filingFieldsOf({ key, texts, period_start, period_end, due_date }: MatrixRow) {
  const { filing_type: type, title, jurisdiction } = texts;
  return { type, title, jurisdiction, period_start, period_end, due_date, obligation_key: key };
}

/** Unique within a company. */
export function rowName({ key, due_date }: { key: string; due_date: string }): string {
  return `${key}|${due_date}`;
}

const approximateDay =
  'Computed from the day on which the company was created here: its day of formation is not known.';

export function textsOf(obligation: Obligation): ObligationTexts {
  const { title, type, jurisdiction, frequency, source, note, due } = obligation;
  const byFormation = due.kind === 'anniversary_month' || due.kind === 'after_anniversary_year';
  const notes = [note, byFormation ? approximateDay : undefined].filter((text) => text !== undefined);
  return {
    title,
    filing_type: type,
    jurisdiction,
    frequency,
    source: { url: source.url, basis: source.basis, looked_up_on: LOOKED_UP_ON },
    note: notes.length === 0 ? null : notes.join(' '),
  };
}

const readStored = statement(
  'read_compliance_items',
  `SELECT key, due_date, period_start, period_end, filing_id, texts FROM compliance_item
   WHERE company_id = $1 ORDER BY due_date, key`,
);

const readFilings = statement(
  'read_compliance_filings',
  `SELECT id, obligation_key AS key, due_date, status = 'open' AS "isOpen" FROM filing
   WHERE company_id = $1 AND obligation_key IS NOT NULL`,
);

const clear = statement('clear_compliance_items', 'DELETE FROM compliance_item WHERE company_id = $1');

const insert = statement(
  'insert_compliance_items',
  `INSERT INTO compliance_item (company_id, account_id, key, due_date, period_start, period_end, filing_id, texts)
   SELECT $1, $2, key, due_date, period_start, period_end, filing_id, texts
   FROM jsonb_to_recordset($3::jsonb) AS r (key text, due_date date, period_start date, period_end date,
     filing_id text, texts jsonb)`,
);

const stamp = statement(
  'stamp_compliance_matrix',
  `INSERT INTO compliance_matrix (company_id, account_id, resynced_at) VALUES ($1, $2, $3)
   ON CONFLICT (company_id) DO UPDATE SET resynced_at = excluded.resynced_at`,
);

const readStamp = statement('read_compliance_stamp', 'SELECT resynced_at FROM compliance_matrix WHERE company_id = $1');

export function readMatrixRows(db: Queryable, companyId: string): Promise<MatrixRow[]> {
  return db.query<MatrixRow>(readStored, [companyId]);
}

export function readKnownFilings(db: Queryable, companyId: string): Promise<KnownFiling[]> {
  return db.query<KnownFiling>(readFilings, [companyId]);
}

export async function storeMatrix(
  db: Queryable,
  context: Context,
  companyId: string,
  rows: readonly MatrixRow[],
): Promise<void> {
  await db.query(clear, [companyId]);
  await db.query(insert, [companyId, context.accountId, JSON.stringify(rows)]);
  await db.query(stamp, [companyId, context.accountId, context.clock.now().toISOString()]);
}

/** Null before the first resync. */
export async function readResyncedAt(db: Queryable, companyId: string): Promise<ComplianceMatrix['resynced_at']> {
  const [row] = await db.query<{ resynced_at: string }>(readStamp, [companyId]);
  return row === undefined ? null : toTimestamp(row.resynced_at);
}

const byUrgency: readonly ComplianceStatus[] = ['overdue', 'open', 'upcoming', 'submitted'];

function toDueDate(row: MatrixRow, openFilings: ReadonlySet<string>, today: string): ComplianceDueDate {
  const submitted = row.filing_id !== null && !openFilings.has(row.filing_id);
  const ahead = row.filing_id === null ? 'upcoming' : 'open';
  const unsubmitted = row.due_date < today ? 'overdue' : ahead;
  return record(complianceDueDate, row, { status: submitted ? 'submitted' : unsubmitted });
}

/** One item per obligation by its next due date, submitted ones last. `today` is in the company's time zone. */
export function toItems(rows: readonly MatrixRow[], openFilings: ReadonlySet<string>, today: string): ComplianceItem[] {
  const byKey = Map.groupBy(rows, ({ key }) => key);
  const items = [...byKey].map(([key, group]): ComplianceItem => {
    const dates = group
      .map((row) => toDueDate(row, openFilings, today))
      .sort((a, b) => (a.due_date < b.due_date ? -1 : 1));
    const next = dates.find(({ status }) => status !== 'submitted');
    const texts = group.at(-1)?.texts;
    if (!texts) throw new Error(`The obligation ${key} has no due date.`);
    return {
      key,
      ...texts,
      next_due_date: next?.due_date ?? null,
      status: byUrgency.find((status) => dates.some((date) => date.status === status)) ?? 'submitted',
      due_dates: dates,
    };
  });
  const sortKey = (item: ComplianceItem): string => `${item.next_due_date ?? '9999'}|${item.key}`;
  return items.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

const neverResynced: Warning = {
  code: 'never_resynced',
  message: 'The matrix of this company was never computed. Resync it first.',
};

export const getCompliance: Verb<typeof operations.compliance.get> = async (context, input) => {
  const company = await findCompany(context, input.company_id);
  const db = context.database;
  const resynced_at = await readResyncedAt(db, company.id);
  const rows = await readMatrixRows(db, company.id);
  const filings = await readKnownFilings(db, company.id);
  const open = new Set(filings.filter(({ isOpen }) => isOpen).map(({ id }) => id));
  const items = toItems(rows, open, dateInZone(context.clock.now(), company.timezone));
  const warnings = [...(resynced_at === null ? [neverResynced] : []), ...factWarnings(factsOf(company))];
  return {
    object: 'compliance_matrix',
    account_id: company.account_id,
    company_id: company.id,
    resynced_at,
    jurisdictions: [...new Set(items.map(({ jurisdiction }) => jurisdiction))].sort(),
    items_total: items.length,
    items,
    ...(warnings.length === 0 ? {} : { warnings }),
  };
};
