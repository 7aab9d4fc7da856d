import type { operations } from '@finhook/contracts';
import { statement } from '../../../db/queryable.ts';
import { recordChange } from '../../../outbox/record-change.ts';
import { transaction } from '../../../outbox/transaction.ts';
import { notFound } from '../../../verbs/domain-error.ts';
import type { Verb } from '../../../verbs/verb.ts';
import { lockCompany } from '../../companies/lock-company.ts';
import { correctRows, isChangedBy, rejectUncounted, toUpdatedRow, updateOf } from './correct-rows.ts';
import { shownRuleCategorySql } from './rule-sql.ts';
import { type TransactionRow, toTransaction } from './transaction.ts';

const lock = statement(
  'lock_transaction',
  `SELECT t.*, ${shownRuleCategorySql('t', '$2')} AS rule_category FROM bank_transaction t
   WHERE t.id = $1 AND t.company_id = $2 FOR NO KEY UPDATE OF t`,
);

export const updateTransaction: Verb<typeof operations.bank.transactions.update> = (context, input) =>
  transaction(context, { records: 'audit and event' }, async (tx) => {
    const company = await lockCompany(tx, context, input.company_id);
    const [found] = await tx.query<TransactionRow>(lock, [input.transaction_id, company.id]);
    if (!found) throw notFound('bank transaction');
    await rejectUncounted(tx, company, [found], input.flow_class);
    const before = toTransaction(found);
    if (!isChangedBy(found, input)) return before;
    const [stored] = await correctRows(tx, company, [found.id], input, context.clock.now());
    if (!stored) throw new Error('The transaction was not changed.');
    const after = toTransaction(stored);
    recordChange(tx, context, {
      action: 'bank.transactions.update',
      before,
      after: { ...after, ...(input.reason == null ? {} : { reason: input.reason }) },
      event: { type: 'bank.transaction.updated', data: updateOf(company.id, 'edited', [toUpdatedRow(stored, found)]) },
    });
    return after;
  });
