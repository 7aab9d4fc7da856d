import { type FieldError, type Filing as FilingRecord, type operations, filing as schema } from '@finhook/contracts';
import { p } from '@mikro-orm/postgresql';
import type { Transaction } from '../../db/database.ts';
import { byId } from '../../lists/keyset.ts';
import { dateInZone } from '../../time/calendar.ts';
import type { Context } from '../../verbs/context.ts';
import { type RowOf, record } from '../../verbs/record.ts';
import { columnsOf, recordEntity, recordFinder } from '../../verbs/record-entity.ts';
import { listVerb, type Verb } from '../../verbs/verb.ts';
import { findCompany } from '../companies/read.ts';

const FilingSchema = recordEntity('Filing', 'filing', {
  ...columnsOf(schema.omit({ overdue: true })),
  fee_cents: p.bigint('number').nullable(),
});

export class Filing extends FilingSchema.class {}
FilingSchema.setClass(Filing);

export type FilingRow = RowOf<typeof schema, 'fee_cents', 'overdue'>;

export function toFiling(row: Filing | FilingRow, today: string): FilingRecord {
  return record(schema, row, { overdue: row.status === 'open' && row.due_date < today });
}

/** The `obligation_key` of a manual filing is null. */
export type NewFiling = Pick<
  FilingRecord,
  | 'company_id'
  | 'type'
  | 'title'
  | 'jurisdiction'
  | 'period_start'
  | 'period_end'
  | 'due_date'
  | 'fee_cents'
  | 'currency'
  | 'notes'
  | 'obligation_key'
>;

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

export const findFiling = recordFinder(Filing, 'filing');

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
