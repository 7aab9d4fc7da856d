import { useZone } from '../../components/shell/company-context.ts';
import { isUrgent } from '../../components/shell/inbox.ts';
import { useNow } from '../../components/time.tsx';
import { formatInstant } from '../../lib/format-time.ts';
import { formatTimeLeft } from './approval.view.ts';

export interface TimeLeftProps {
  approval: { status: string; expires_at: string | null };
  /** Nothing around it says that it is a time left. */
  alone?: boolean;
}

export function TimeLeft({ approval: { status, expires_at }, alone = false }: TimeLeftProps): React.JSX.Element {
  const now = useNow();
  const zone = useZone();
  if (status !== 'pending') return <span className="text-muted">–</span>;
  if (expires_at === null) return <span className="text-muted">No deadline</span>;
  const left = formatTimeLeft(expires_at, now);
  return (
    <time
      dateTime={expires_at}
      title={`Expires ${formatInstant(expires_at, zone, true)}`}
      className={`whitespace-nowrap tabular-nums ${isUrgent({ expires_at }, now) ? 'text-bad' : ''}`}
    >
      {left === undefined ? 'Expired' : `${left}${alone ? ' left' : ''}`}
    </time>
  );
}
