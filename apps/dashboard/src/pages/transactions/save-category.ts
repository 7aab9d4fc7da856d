import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC, useTRPCClient } from '../../lib/trpc.ts';
import { usePermission } from '../../lib/use-session.ts';
import { type Settings, useChangeSettings } from '../../operation/use-change-settings.ts';
import { useOperation } from '../../operation/use-operation.ts';
import { changeText, countWithRule } from './category-change.view.ts';
import { MOST_RULES, ruleText, withRule } from './flow-rules.view.ts';
import type { Transaction } from './transactions.view.ts';
import { MOST_UNDONE, NotUndone, useUndoCategory } from './use-undo-category.ts';

export interface Others {
  /** Number of transactions with its counterparty and category, this one included. */
  count: number;
  /** The number of the others that are voided, which no filter leaves out; undefined if they are too many to be read. */
  voided: number | undefined;
  /** All of them as they are; undefined if they are too many. */
  rows: readonly Transaction[] | undefined;
}

interface Offers {
  /** Undefined if there are no others. */
  others: Others | undefined;
  /** Text of a rule for the counterparty. */
  rule: string | undefined;
}

/** Selects the rows with the counterparty and the present category of a transaction. */
function alike({ counterparty, category }: Transaction) {
  return { ...(counterparty !== null && { counterparty }), ...(category !== null && { category }) };
}

/** Offers for a new category; none for an empty one. No filter selects exactly the rows without a category. */
export function useOffers(transaction: Transaction, next: string): Offers {
  const { company_id, counterparty, category } = transaction;
  const trpc = useTRPC();
  const may = usePermission();
  const isNamed = next !== '' && counterparty !== null;
  const hasOthers = isNamed && Boolean(category) && next !== category;
  const mayRule = isNamed && may('financials.settings.update');
  const list = useQuery(
    trpc.bank.transactions.list.queryOptions(
      { company_id, limit: MOST_UNDONE, include: 'total_count', ...alike(transaction) },
      { enabled: hasOthers, staleTime: 0 },
    ),
  );
  const settings = useQuery(trpc.financials.settings.get.queryOptions({ company_id }, { enabled: mayRule }));
  const { total_count: count = 0, data: rows = [] } = list.data ?? {};
  const all = rows.length === count ? rows : undefined;
  const voided = all?.filter((row) => row.id !== transaction.id && row.voided_at !== null).length;
  const hasRoom = settings.data !== undefined && settings.data.flow_rules.length < MOST_RULES;
  return {
    others: hasOthers && count > 1 ? { count, voided, rows: all } : undefined,
    rule: mayRule && hasRoom ? ruleText({ counterparty, description: '' }) : undefined,
  };
}

interface Save {
  category: string | null;
  others?: Others | undefined;
  rule?: string | undefined;
}

export function useSaveCategory(transaction: Transaction, onDone: () => void) {
  const { id, company_id, category: from } = transaction;
  const client = useTRPCClient();
  const say = useUndoCategory();
  const [isSaving, setSaving] = useState(false);
  const one = useOperation('bank.transactions.update');
  const bulk = useOperation('bank.transactions.bulk');
  const saveRule = useSaveRule(company_id);

  async function change({ category, others }: Save): Promise<{ count: number; to: string | null }> {
    if (others === undefined) {
      const { category: to } = await one.mutateAsync({ company_id, transaction_id: id, category });
      return { count: to === from ? 0 : 1, to };
    }
    const filter = alike(transaction);
    const { updated } = await bulk.mutateAsync({ company_id, filter, set: { category }, expected_count: others.count });
    return { count: updated, to: category };
  }
  /** The number of transactions with the category: a rule changes some that the service doesn't count. */
  async function countOf(category: string): Promise<number | undefined> {
    const input = { company_id, category, limit: 1, include: 'total_count' } as const;
    return client.bank.transactions.list.query(input).then(
      ({ total_count }) => total_count,
      () => undefined,
    );
  }
  async function save(input: Save): Promise<void> {
    const { category, others, rule } = input;
    const before = others === undefined ? [transaction] : others.rows;
    setSaving(true);
    try {
      if (rule === undefined || category === null) {
        say(changeText({ from, ...(await change(input)) }), { before, set: category });
      } else {
        const earlier = await countOf(category);
        const { count: changed, to } = await change(input);
        const last = await saveRule(rule, category);
        const count = countWithRule({ changed, earlier, later: await countOf(category) });
        const text = changeText({ count, from: count === changed ? from : undefined, to, rule });
        say(text, { before, set: category, last });
      }
      onDone();
    } catch {
      // The operation has shown the error; what was done before it stays.
    } finally {
      setSaving(false);
    }
  }
  return { save, isSaving };
}

/** Saves a rule for a category. The result takes it back, if the rules are still those that were saved. */
function useSaveRule(company_id: string) {
  const rules = useChangeSettings(company_id, {});
  const undo = useChangeSettings(company_id, { quiet: true });
  return async (contains: string, category: string): Promise<() => Promise<unknown>> => {
    let before: Settings['flow_rules'] = [];
    const { flow_rules } = await rules.mutateAsync((stored) => {
      before = stored.flow_rules;
      return withRule(stored, { contains, category });
    });
    return () =>
      undo.mutateAsync((stored) => {
        // They are as before after a try whose response was lost.
        if (![flow_rules, before].some((known) => JSON.stringify(known) === JSON.stringify(stored.flow_rules)))
          throw new NotUndone('The rule was not removed, because the rules have changed since.');
        return { flow_rules: before };
      });
  };
}
