import { formatMoney } from '@finhook/contracts/currency';
import type { Waiting } from '../../components/shell/inbox.ts';
import { localOf } from '../../lib/zoned-time.ts';

interface WaitingGroup {
  title: 'Expires today' | 'Later' | 'No deadline';
  waiting: readonly Waiting[];
}

/** Groups that are not empty. `today` is the day in `zone`. */
export function groupsOf(waiting: readonly Waiting[], today: string, zone: string): WaitingGroup[] {
  const byTitle = Map.groupBy(waiting, ({ expires_at }): WaitingGroup['title'] => {
    if (expires_at === null) return 'No deadline';
    return localOf(expires_at, zone).slice(0, 10) <= today ? 'Expires today' : 'Later';
  });
  return (['Expires today', 'Later', 'No deadline'] as const).flatMap((title) => {
    const group = byTitle.get(title);
    return group === undefined ? [] : [{ title, waiting: group }];
  });
}

/** One line about the requests that wait. */
export function waitingText({
  kind,
  title,
  amount_cents,
  currency,
}: Pick<Waiting, 'kind' | 'title' | 'amount_cents' | 'currency'>): string {
  if (kind === 'agent_request' || amount_cents === null || currency === null) return title;
  return `Wire of ${formatMoney(amount_cents, currency)} to ${title}`;
}
