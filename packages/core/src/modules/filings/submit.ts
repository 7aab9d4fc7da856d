import {
  type FieldError,
  type Filing as FilingRecord,
  normalizeCurrency,
  type operations,
  parseInstant,
  type Warning,
} from '@finhook/contracts';
import { recordChange } from '../../outbox/record-change.ts';
import { transaction } from '../../outbox/transaction.ts';
import { dateInZone, daysBetween } from '../../time/calendar.ts';
import { CLOCK_SKEW_MS } from '../../time/clock.ts';
import { rejectFields } from '../../verbs/domain-error.ts';
import { defineStates } from '../../verbs/state-machine.ts';
import type { InputOf, Verb } from '../../verbs/verb.ts';
import { lockCompany } from '../companies/lock-company.ts';
import { type Filing, findFiling, missingCurrency, toFiling } from './filing.ts';

type Op = typeof operations.filings.submit;

const filingStates = defineStates<FilingRecord['status']>('filing', { open: ['submitted'], submitted: ['open'] });

export const submitFiling: Verb<Op> = async (context, input) => {
  const submittedAt = momentOf(input, context.clock.now());
  return transaction(context, { records: 'audit and event', lock: input.filing_id }, async (tx) => {
    const filing = await findFiling(tx.em, context, input.filing_id);
    const company = await lockCompany(tx, context, filing.company_id);
    const today = dateInZone(context.clock.now(), company.timezone);
    const before = toFiling(filing, today);
    if (!filingStates.moves(filing.status, 'submitted')) return { ...before, warnings: repeatWarnings(before, input) };
    rejectFields([missingCurrency(input.fee_cents, input.currency ?? filing.currency)]);
    fillIn(filing, input);
    tx.em.assign(filing, {
      status: 'submitted',
      submitted_at: submittedAt,
      submitted_by: context.actor,
      updated_at: context.clock.now(),
    });
    await tx.em.flush();
    const after = toFiling(filing, today);
    const days_before_due = daysBetween(dateInZone(submittedAt, company.timezone), filing.due_date);
    const event = { type: 'filing.submitted', data: { ...after, days_before_due } } as const;
    recordChange(tx, context, { action: 'filings.submit', before, after, event });
    return after;
  });
};

function momentOf(input: InputOf<Op>, now: Date): Date {
  if (input.submitted_at == null) return now;
  const ms = parseInstant(input.submitted_at) ?? Number.NaN;
  const inRange = ms >= 0 && ms <= now.getTime() + CLOCK_SKEW_MS;
  const error: FieldError = {
    pointer: '/submitted_at',
    code: 'date_out_of_range',
    message: `must be between 1970 and now; got ${input.submitted_at}`,
  };
  rejectFields([inRange ? undefined : error]);
  return new Date(ms);
}

function fillIn(filing: Filing, input: InputOf<Op>): void {
  if (input.confirmation_number != null) filing.confirmation_number = input.confirmation_number;
  if (input.fee_cents != null) filing.fee_cents = input.fee_cents;
  if (input.currency != null) filing.currency = normalizeCurrency(input.currency) ?? null;
  if (input.notes != null) filing.notes = input.notes;
}

/** A repeat always has a warning, also if it ignored no field: its caller must not take it for their own submission. */
function repeatWarnings(record: FilingRecord, input: InputOf<Op>): Warning[] {
  const sent = {
    confirmation_number: input.confirmation_number,
    submitted_at: input.submitted_at == null ? null : new Date(parseInstant(input.submitted_at) ?? 0).toISOString(),
    fee_cents: input.fee_cents,
    currency: normalizeCurrency(input.currency ?? ''),
    notes: input.notes,
  };
  const ignored = Object.entries(sent)
    .filter(([field, value]) => value != null && value !== Reflect.get(record, field))
    .map(([field]) => ({
      code: 'already_submitted',
      pointer: `/${field}`,
      message: `The filing was already submitted and keeps its ${field}. Reopen the filing within ten minutes, or create a new one for a correction.`,
    }));
  return ignored.length > 0
    ? ignored
    : [{ code: 'already_submitted', message: 'The filing was already submitted. This request changed nothing.' }];
}
