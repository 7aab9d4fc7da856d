import type { operations } from '@finhook/contracts';
import { recordChange } from '../../outbox/record-change.ts';
import { transaction } from '../../outbox/transaction.ts';
import { dateInZone } from '../../time/calendar.ts';
import { DomainError } from '../../verbs/domain-error.ts';
import type { Verb } from '../../verbs/verb.ts';
import { lockCompany } from '../companies/lock-company.ts';
import { findFiling, toFiling } from './filing.ts';

const REOPENABLE_MS = 10 * 60 * 1000;

/** Takes a submission back. `updated_at` is the time of its request, because nothing else changes a submitted filing. */
export const reopenFiling: Verb<typeof operations.filings.reopen> = (context, input) =>
  transaction(context, { records: 'audit and event', lock: input.filing_id }, async (tx) => {
    const filing = await findFiling(tx.em, context, input.filing_id);
    const company = await lockCompany(tx, context, filing.company_id);
    const now = context.clock.now();
    if (filing.status !== 'submitted') {
      throw new DomainError('invalid_state_transition', {
        detail: `The filing is ${filing.status}. Only a submitted filing can be reopened.`,
        extra: { current_status: filing.status, allowed: ['submitted'] },
      });
    }
    const until = new Date(filing.updated_at.getTime() + REOPENABLE_MS);
    if (now > until) throw tooLate(until);
    const today = dateInZone(now, company.timezone);
    const before = toFiling(filing, today);
    const cleared = { submitted_at: null, submitted_by: null, confirmation_number: null };
    tx.em.assign(filing, { ...cleared, status: 'open', updated_at: now });
    await tx.em.flush();
    const after = toFiling(filing, today);
    const data = { ...after, previous_confirmation_number: before.confirmation_number };
    recordChange(tx, context, { action: 'filings.reopen', before, after, event: { type: 'filing.reopened', data } });
    return after;
  });

function tooLate(until: Date): DomainError {
  const reopenable_until = until.toISOString();
  return new DomainError('invalid_state_transition', {
    detail: `The filing could be reopened until ${reopenable_until}, ten minutes after the request that submitted it. Create a new filing for a correction.`,
    extra: { current_status: 'submitted', allowed: [], reopenable_until },
  });
}
