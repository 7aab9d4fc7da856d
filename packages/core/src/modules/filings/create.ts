import { type FieldError, type FilingType, normalizeCurrency, type operations } from '@finhook/contracts';
import { recordChange } from '../../outbox/record-change.ts';
import { transaction } from '../../outbox/transaction.ts';
import { checkDay, dateInZone, dayLimits, MAX_PLAN_DAYS_AHEAD } from '../../time/calendar.ts';
import { rejectFields } from '../../verbs/domain-error.ts';
import type { InputOf, Verb } from '../../verbs/verb.ts';
import { lockCompany } from '../companies/lock-company.ts';
import { insertFiling, missingCurrency, toFiling } from './filing.ts';

type Op = typeof operations.filings.create;

const titles: Readonly<Record<FilingType, string>> = {
  annual_report: 'Annual report',
  franchise_tax: 'Franchise tax',
  income_tax: 'Income tax',
  sales_tax: 'Sales tax',
  payroll_tax: 'Payroll tax',
  boi_report: 'Beneficial ownership report',
  registered_agent: 'Registered agent',
  license: 'License',
  other: 'Filing',
};

export const createFiling: Verb<Op> = async (context, input) => {
  rejectFields(fieldErrorsOf(input, context.clock.now()));
  return transaction(context, { records: 'audit and event' }, async (tx) => {
    const company = await lockCompany(tx, context, input.company_id);
    const filing = insertFiling(tx, context, {
      company_id: company.id,
      type: input.type,
      title: input.title ?? titles[input.type],
      jurisdiction: input.jurisdiction ?? null,
      period_start: input.period_start ?? null,
      period_end: input.period_end ?? null,
      due_date: input.due_date,
      fee_cents: input.fee_cents ?? null,
      currency: normalizeCurrency(input.currency ?? '') ?? null,
      notes: input.notes ?? null,
      obligation_key: null,
    });
    await tx.em.flush();
    const after = toFiling(filing, dateInZone(context.clock.now(), company.timezone));
    recordChange(tx, context, { action: 'filings.create', after, event: { type: 'filing.due', data: after } });
    return after;
  });
};

function fieldErrorsOf(input: InputOf<Op>, now: Date): (FieldError | undefined)[] {
  const limits = dayLimits(now, MAX_PLAN_DAYS_AHEAD);
  const { period_start: start, period_end: end } = input;
  return [
    checkDay('/due_date', input.due_date, limits),
    start == null ? undefined : checkDay('/period_start', start, limits),
    end == null ? undefined : checkDay('/period_end', end, limits),
    start != null && end != null && start > end
      ? { pointer: '/period_start', code: 'out_of_range', message: `must not be after period_end ${end}; got ${start}` }
      : undefined,
    missingCurrency(input.fee_cents, input.currency),
  ];
}
