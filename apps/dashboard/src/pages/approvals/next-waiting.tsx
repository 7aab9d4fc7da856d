import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../components/button.tsx';
import { useInbox } from '../../components/shell/inbox.ts';
import { visibleText } from '../../lib/text.ts';
import { waitingText } from './inbox.view.ts';

/** The way on from a decided approval: what of the others expires first. */
export function NextWaiting({ after }: { after: string }): React.JSX.Element | null {
  const next = useInbox().waiting.find(({ id }) => id !== after);
  if (next === undefined) return null;
  return (
    <Link
      to="/approvals/$approvalId"
      params={{ approvalId: next.id }}
      className={`${buttonClass()} w-fit max-w-full py-1 whitespace-normal! wrap-anywhere`}
    >
      Next: {visibleText(waitingText(next))}
    </Link>
  );
}
