import type { Actor, Filing as FilingRecord } from '@finhook/contracts';
import { defineEntity, p } from '@mikro-orm/postgresql';

const FilingSchema = defineEntity({
  name: 'Filing',
  tableName: 'filing',
  properties: {
    id: p.text().primary(),
    accountId: p.text(),
    companyId: p.text(),
    type: p.text().$type<FilingRecord['type']>(),
    title: p.text(),
    jurisdiction: p.text().nullable(),
    periodStart: p.date().nullable(),
    periodEnd: p.date().nullable(),
    dueDate: p.date().$type<string>(),
    status: p.text().$type<FilingRecord['status']>(),
    submittedAt: p.datetime().nullable(),
    submittedBy: p.json().$type<Actor>().nullable(),
    confirmationNumber: p.text().nullable(),
    feeCents: p.bigint('number').nullable(),
    currency: p.text().nullable(),
    notes: p.text().nullable(),
    obligationKey: p.text().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

/** Something that a company owes an authority by a day. */
export class Filing extends FilingSchema.class {
  /** The record as it stands on `today`, a date in the company's time zone. */
  toRecord(today: string): FilingRecord {
    return {
      id: this.id,
      object: 'filing',
      account_id: this.accountId,
      company_id: this.companyId,
      type: this.type,
      title: this.title,
      jurisdiction: this.jurisdiction ?? null,
      period_start: this.periodStart ?? null,
      period_end: this.periodEnd ?? null,
      due_date: this.dueDate,
      status: this.status,
      overdue: this.status === 'open' && this.dueDate < today,
      submitted_at: this.submittedAt?.toISOString() ?? null,
      submitted_by: this.submittedBy ?? null,
      confirmation_number: this.confirmationNumber ?? null,
      fee_cents: this.feeCents ?? null,
      currency: this.currency ?? null,
      notes: this.notes ?? null,
      obligation_key: this.obligationKey ?? null,
      created_at: this.createdAt.toISOString(),
      updated_at: this.updatedAt.toISOString(),
    };
  }
}
FilingSchema.setClass(Filing);
