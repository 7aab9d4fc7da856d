import { useToast } from '../../components/toast.tsx';
import { explain } from '../../lib/problem.ts';
import { plural } from '../../lib/text.ts';
import { useTRPCClient } from '../../lib/trpc.ts';
import { useOperation } from '../../operation/use-operation.ts';
import { ownCategory, type Transaction } from './transactions.view.ts';

const UNDO_MS = 30_000;
/** Each one is read and changed by requests of its own. */
export const MOST_UNDONE = 100;

interface Undo {
  /** The transactions as they were; undefined if they are too many. */
  before: readonly Transaction[] | undefined;
  set: string | null;
  /** Takes back what was changed with them. */
  first?: (() => Promise<unknown>) | undefined;
}

function restoredText(count: number): string {
  if (count === 0) return 'Rule removed.';
  return count === 1 ? 'Category restored.' : `Category of ${plural(count, 'transaction')} restored.`;
}

/** Shows that categories have changed, with an Undo that restores each one that nobody has changed since. */
export function useUndoCategory(): (text: string, undo: Undo) => void {
  const toast = useToast();
  const client = useTRPCClient();
  const update = useOperation('bank.transactions.update', { quiet: true });
  async function restore(row: Transaction, set: string | null): Promise<boolean> {
    const { company_id, id: transaction_id } = row;
    const stored = await client.bank.transactions.get.query({ company_id, transaction_id });
    if (ownCategory(stored) !== set) return false;
    await update.mutateAsync({ company_id, transaction_id, category: ownCategory(row) });
    return true;
  }
  async function takeBack(before: readonly Transaction[], { set, first }: Undo): Promise<void> {
    let kept = 0;
    try {
      await first?.();
      for (const row of before) if (!(await restore(row, set))) kept += 1;
      if (kept > 0) toast.bad(`${plural(kept, 'transaction')} kept the category that was set since.`);
      else toast.good(restoredText(before.length));
    } catch (error) {
      toast.bad(explain(error));
    }
  }
  return (text, undo) => {
    const changed = undo.before?.filter((row) => ownCategory(row) !== undo.set);
    const isExact = changed !== undefined && changed.length <= MOST_UNDONE;
    if (!isExact || (changed.length === 0 && undo.first === undefined)) return toast.good(text);
    toast.good(text, { label: 'Undo', forMs: UNDO_MS, run: () => void takeBack(changed, undo) });
  };
}
