import { type Actor, type Filing as FilingRecord, filing as schema } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';
import { type RowOf, record } from '../../kernel/record.ts';

const FilingSchema = defineEntity({
  name: 'Filing',
  tableName: 'filing',
  properties: {
    id: p.text().primary(),
    account_id: p.text(),
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
    created_at: p.datetime(),
    updated_at: p.datetime(),
  },
});

export class Filing extends FilingSchema.class {}
FilingSchema.setClass(Filing);

export type FilingRow = RowOf<typeof schema, 'fee_cents', 'overdue'>;

export function toFiling(row: Filing | FilingRow, today: string): FilingRecord {
  return record(schema, row, { overdue: row.status === 'open' && row.due_date < today });
}
