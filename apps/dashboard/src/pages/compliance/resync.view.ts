import { plural } from '../../lib/text.ts';
import type { Outputs } from '../../lib/trpc.ts';

export type Resync = Outputs['compliance']['resync'];

/** What a resync did. */
export function resyncSummary(done: Resync): string {
  const left = done.filings_left_open.length;
  return (
    `${changesText(done)} ${plural(done.filings_opened, 'filing')} created.` +
    (left === 0 ? '' : ` ${plural(left, 'open filing no longer applies', 'open filings no longer apply')}.`)
  );
}

function changesText({ items_added, items_changed, items_removed }: Resync): string {
  return `${plural(items_added, 'obligation')} added, ${items_changed} changed, ${items_removed} removed.`;
}

/** What a resync would do besides creating filings; undefined if it would change nothing. */
export function plannedChanges(plan: Resync): string | undefined {
  const { items_added, items_changed, items_removed } = plan;
  if (items_added + items_changed + items_removed === 0) return undefined;
  return `This adds ${plural(items_added, 'obligation')}, changes ${items_changed} and removes ${items_removed}.`;
}

export function submitText({ planned_filings: planned = [] }: Resync): string {
  return planned.length === 0 ? 'Update' : `Create ${plural(planned.length, 'filing')}`;
}
