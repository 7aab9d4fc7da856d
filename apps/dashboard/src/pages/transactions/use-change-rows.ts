import { useState } from 'react';
import { useToast } from '../../components/toast.tsx';
import { plural } from '../../lib/text.ts';
import type { Input } from '../../lib/trpc.ts';
import { useOperation } from '../../operation/use-operation.ts';
import { changeText } from './category-change.view.ts';
import { ownCategory, type Transaction } from './transactions.view.ts';
import { useUndoCategory } from './use-undo-category.ts';

export interface RowsProps {
  rows: readonly Transaction[];
  onDone: () => void;
}

type Change = Pick<Input<'bank.transactions.update'>, 'flow_class' | 'category' | 'voided'>;

export function useChangeRows(rows: readonly Transaction[], onDone: () => void) {
  const toast = useToast();
  const say = useUndoCategory();
  const [isChanging, setChanging] = useState(false);
  const { mutateAsync, error } = useOperation('bank.transactions.update');
  function sayChanged({ category: set }: Change, becomes: ReadonlySet<string | null>): void {
    if (set === undefined) return toast.good(`${plural(rows.length, 'transaction')} changed.`);
    const changed = rows.filter((row) => ownCategory(row) !== set);
    const [from, ...more] = new Set(changed.map(({ category }) => category));
    const [to = set] = becomes;
    const text =
      becomes.size > 1
        ? `Category of ${plural(changed.length, 'transaction')} reset.`
        : changeText({ count: changed.length, from: more.length === 0 ? from : undefined, to });
    say(text, { before: rows, set });
  }
  /** Returns whether all rows have changed. */
  async function change(set: Change): Promise<boolean> {
    setChanging(true);
    try {
      const becomes = new Set<string | null>();
      for (const { id, company_id } of rows) {
        const { category } = await mutateAsync({ company_id, transaction_id: id, ...set });
        becomes.add(category);
      }
      sayChanged(set, becomes);
      onDone();
      return true;
    } catch {
      // `useOperation` has shown the error.
      return false;
    } finally {
      setChanging(false);
    }
  }
  return { change, isChanging, error };
}
