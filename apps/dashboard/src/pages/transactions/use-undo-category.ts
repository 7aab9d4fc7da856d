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
  /** Takes back what was changed with them, once they are restored. */
  last?: (() => Promise<unknown>) | undefined;
}

/** Something cannot be taken back, however often it is tried. */
export class NotUndone extends Error {}

/** The progress of an Undo: another try goes on from there. */
interface Progress {
  done: number;
  /** Those of them that were left as they are, because somebody has changed them since. */
  kept: number;
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
    const own = ownCategory(await client.bank.transactions.get.query({ company_id, transaction_id }));
    // It is so after a try whose response was lost.
    if (own === ownCategory(row)) return true;
    if (own !== set) return false;
    // The operation takes no expected version: a change in this moment is lost.
    await update.mutateAsync({ company_id, transaction_id, category: ownCategory(row) });
    return true;
  }
  async function takeBack(before: readonly Transaction[], undo: Undo, progress: Progress): Promise<void> {
    const { set, last } = undo;
    let { done, kept } = progress;
    try {
      for (const row of before.slice(done)) {
        if (!(await restore(row, set))) kept += 1;
        done += 1;
      }
      await last?.();
      if (kept > 0) toast.bad(`${plural(kept, 'transaction')} kept the category that was set since.`);
      else toast.good(restoredText(before.length));
    } catch (error) {
      if (error instanceof NotUndone) return toast.bad(explain(error));
      const text = `${explain(error)} ${done - kept} of ${plural(before.length, 'transaction')} restored.`;
      toast.bad(before.length > 1 ? text : explain(error), undoButton(before, undo, { done, kept }));
    }
  }
  function undoButton(before: readonly Transaction[], undo: Undo, progress: Progress) {
    return { label: 'Undo', forMs: UNDO_MS, run: () => void takeBack(before, undo, progress) };
  }
  return (text, undo) => {
    const changed = undo.before?.filter((row) => ownCategory(row) !== undo.set);
    const isExact = changed !== undefined && changed.length <= MOST_UNDONE;
    if (!isExact || (changed.length === 0 && undo.last === undefined)) return toast.good(text);
    toast.good(text, undoButton(changed, undo, { done: 0, kept: 0 }));
  };
}
