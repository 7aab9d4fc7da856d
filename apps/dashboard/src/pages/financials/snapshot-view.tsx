import { Link } from '@tanstack/react-router';
import { CopyId } from '../../components/copy.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { Panel } from '../../components/page.tsx';
import { Instant } from '../../components/time.tsx';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { ChecksPanel, EquationBadge } from './checks-panel.tsx';
import { PostSnapshotDialog } from './post-snapshot-dialog.tsx';
import { RevisionsPanel } from './revisions-panel.tsx';
import { type Snapshot, statementTypes } from './statement.view.ts';
import { periodText, Statement } from './statement-table.tsx';

export function SnapshotView({ snapshot }: { snapshot: Snapshot }): React.JSX.Element {
  return (
    <>
      <Panel
        title={`${statementTypes[snapshot.statement_type]} · ${periodText(snapshot)}`}
        actions={
          <OperationButton size="small" operation="financials.snapshots.upsert" label="Post correction" needsCompany>
            {(close) => <PostSnapshotDialog onClose={close} begin={snapshot} />}
          </OperationButton>
        }
      >
        <div className="flex flex-col gap-5">
          <Statement
            snapshot={snapshot}
            equation={snapshot.statement_type === 'balance' && <EquationBadge snapshot={snapshot} />}
          />
          <div className="border-t pt-4">
            <DescriptionList
              entries={[
                ['Source', snapshot.source],
                ['Revision', snapshot.revision],
                ['First received', <Instant key="created" at={snapshot.created_at} />],
                ['Last received', <Instant key="updated" at={snapshot.updated_at} />],
                ['ID', <CopyId key="id" id={snapshot.id} what="ID" />],
                [
                  'Activity',
                  <Link key="log" to="/logs" search={{ resource_id: snapshot.id }} className="text-accent underline">
                    View in activity log
                  </Link>,
                ],
              ]}
            />
          </div>
        </div>
      </Panel>
      <ChecksPanel snapshot={snapshot} />
      <RevisionsPanel key={snapshot.id} snapshot={snapshot} />
    </>
  );
}
