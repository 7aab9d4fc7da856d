import type { FilingType } from '@finhook/contracts';
import type { Transaction } from '../../db/database.ts';
import type { Context } from '../../kernel/context.ts';
import { Filing } from './filing.entity.ts';

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
  /** The obligation in the compliance matrix; null for a manual filing. */
  obligation_key: string | null;
}

/** Makes an open filing in the caller's transaction, which flushes, audits and emits `filing.due`. */
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
