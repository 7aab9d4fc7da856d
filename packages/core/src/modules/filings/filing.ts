import {
  type Actor,
  type FieldError,
  type Filing as FilingRecord,
  type FilingType,
  type operations,
  filing as schema,
} from '@finhook/contracts';
import { p } from '@mikro-orm/postgresql';
import { assertAccessible } from '../../access/access.ts';
import type { Transaction } from '../../db/database.ts';
import { byId } from '../../lists/keyset.ts';
import { dateInZone } from '../../time/calendar.ts';
import type { Context } from '../../verbs/context.ts';
import { type RowOf, record } from '../../verbs/record.ts';
import { recordEntity } from '../../verbs/record-entity.ts';
import { listVerb, type Verb } from '../../verbs/verb.ts';
import { findCompany } from '../companies/read.ts';

const FilingSchema = recordEntity('Filing', 'filing', {
  company_id: p.text(),
  type: p.text().$type<FilingRecord['type']>(),
  title: p.text(),
  jurisdiction: p.text().nullable(),
  period_start: p.date().nullable(),
  period_end: p.date().nullable(),
  due_date: p.date().$type<string>(),
  status: p.text().$type<FilingRecord['status']>(),
  submitted_at: p.datetime().nullable(),
  submitted_by: p.json().$type<Actor>().nullable(),
  confirmation_number: p.text().nullable(),
  fee_cents: p.bigint('number').nullable(),
  currency: p.text().nullable(),
  notes: p.text().nullable(),
  obligation_key: p.text().nullable(),
});

export class Filing extends FilingSchema.class {}
FilingSchema.setClass(Filing);

export type FilingRow = RowOf<typeof schema, 'fee_cents', 'overdue'>;

export function toFiling(row: Filing | FilingRow, today: string): FilingRecord {
  return record(schema, row, { overdue: row.status === 'open' && row.due_date < today });
}

export interface NewFiling {
  company_id: string;
  type: FilingType;
  title: string;
  jurisdiction: string | null;
  /** Dates are `YYYY-MM-DD`. */
  period_start: string | null;
  period_end: string | null;
  due_date: string;
  fee_cents: number | null;
  currency: string | null;
  notes: string | null;
  /** The obligation of the compliance rules; null for a manual filing. */
  obligation_key: string | null;
}

/** The caller flushes, audits and emits `filing.due`. */
export function insertFiling(tx: Transaction, context: Context, input: NewFiling): Filing {
  const now = context.clock.now();
  return tx.em.create(Filing, {
    id: context.newId('fil'),
    account_id: context.accountId,
    ...input,
    status: 'open',
    created_at: now,
    updated_at: now,
  });
}

/** Throws `not_found` without access. */
export async function findFiling(em: Transaction['em'], context: Context, id: string): Promise<Filing> {
  return assertAccessible(context, await em.findOne(Filing, { id, account_id: context.accountId }), 'filing');
}

export const getFiling: Verb<typeof operations.filings.get> = async (context, input) => {
  const filing = await findFiling(context.database.em(), context, input.filing_id);
  const company = await findCompany(context, filing.company_id);
  return toFiling(filing, dateInZone(context.clock.now(), company.timezone));
};

export const listFilings = listVerb<typeof operations.filings.list, FilingRow, string>({
  table: 'filing',
  prefix: 'fil',
  sort: [{ sql: 'due_date', cast: 'date', read: (row) => row.due_date }, byId('fil')],
  async filters(filters, context, input) {
    const company = await findCompany(context, input.company_id);
    const today = dateInZone(context.clock.now(), company.timezone);
    filters.where(company.id, 'company_id = ?');
    filters.whereEqual(input, ['status', 'type']);
    filters.where(input.due_from, 'due_date >= ?');
    filters.where(input.due_to, 'due_date <= ?');
    if (input.overdue !== undefined) {
      filters.add(`(status = 'open' AND due_date < ${filters.bind(today)}::date) = ${input.overdue}`);
    }
    return today;
  },
  map: toFiling,
});

/** Rejects a fee without a currency; the service never guesses one. */
export function missingCurrency(
  feeCents: number | null | undefined,
  currency: string | null | undefined,
): FieldError | undefined {
  if (feeCents == null || currency != null) return undefined;
  return { pointer: '/currency', code: 'required', message: 'is required with fee_cents' };
}
