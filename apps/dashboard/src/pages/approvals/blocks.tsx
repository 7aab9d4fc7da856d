import { Link } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { StatusBadge } from '../../components/badge.tsx';
import { buttonClass } from '../../components/button.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { Fold } from '../../components/fold.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { useMinWidth } from '../../lib/use-min-width.ts';
import { NextWaiting } from './next-waiting.tsx';
import { TimeLeft, type TimeLeftProps } from './time-left.tsx';

interface ApprovalBlocksProps {
  approval: TimeLeftProps['approval'] & { id: string };
  title: string;
  what: ReactNode;
  know: ReactNode;
  decide: ReactNode;
}

/** From this width on the buttons of a decision don't cover what is above them: Tailwind's `md`. */
const WIDE_REM = 48;

/**
 * The page of what waits for a decision, or waited: three blocks, in the order of reading. A phone shows the warnings
 * first, because the buttons stay in view there, and would be pressed before one scrolls.
 */
export function ApprovalBlocks({ title, approval, what, know, decide }: ApprovalBlocksProps): React.JSX.Element {
  const isWide = useMinWidth(WIDE_REM);
  const panels = [
    <Panel key="what" title="Request">
      {what}
    </Panel>,
    <Panel key="know" title="What you should know">
      {know}
    </Panel>,
  ];
  return (
    <Page
      title={title}
      intro={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <StatusBadge status={approval.status} />
          {approval.status === 'pending' && (
            <span>
              Time left: <TimeLeft approval={approval} />
            </span>
          )}
        </span>
      }
      actions={
        <Link to="/approvals" className={buttonClass()}>
          All approvals
        </Link>
      }
    >
      <div className="grid items-start gap-4 xl:grid-cols-2">{isWide ? panels : panels.toReversed()}</div>
      {decide}
      {approval.status !== 'pending' && <NextWaiting after={approval.id} />}
    </Page>
  );
}

/** What a decision seldom depends on, folded so that a phone shows first what it does. */
export function Details({ entries }: ComponentProps<typeof DescriptionList>): React.JSX.Element {
  return (
    <Fold title="Details" opens={false} className="mt-3" titleClass="w-fit rounded text-sm text-accent">
      <div className="mt-2">
        <DescriptionList entries={entries} />
      </div>
    </Fold>
  );
}
