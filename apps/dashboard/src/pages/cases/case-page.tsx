import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { StatusBadge, sentenceCase } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { AgentName } from '../../components/links.tsx';
import { Page, Panel, PendingPage } from '../../components/page.tsx';
import { Ago, Instant } from '../../components/time.tsx';
import { actorName } from '../../lib/text.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { usePermission } from '../../lib/use-session.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { useOperation } from '../../operation/use-operation.ts';
import { type Case, EditCaseDialog } from './case-dialogs.tsx';
import { CommentForm, Comments } from './comments.tsx';

const route = getRouteApi('/shell/cases/$caseId');

export function CasePage(): React.JSX.Element {
  const trpc = useTRPC();
  const { caseId } = route.useParams();
  const record = useQuery(trpc.cases.get.queryOptions({ case_id: caseId }));
  if (record.data) return <CaseDetails record={record.data} />;
  return <PendingPage title="Case" intro={<AllCases />} query={record} label="Loading the case" />;
}

function AllCases(): React.JSX.Element {
  return (
    <Link to="/cases" className="inline-block leading-6 text-accent underline">
      All cases
    </Link>
  );
}

function CaseDetails({ record }: { record: Case }): React.JSX.Element {
  const may = usePermission();
  return (
    <Page
      title={record.title}
      intro={<AllCases />}
      actions={
        may('cases.update') && (
          <>
            <Moves record={record} />
            <OperationButton operation="cases.update" label="Edit case">
              {(close) => <EditCaseDialog record={record} onClose={close} />}
            </OperationButton>
          </>
        )
      }
    >
      <div className="grid gap-6 xl:grid-cols-[3fr_2fr]">
        <Panel title="Comments">
          <div className="flex flex-col gap-6">
            {may('cases.comments.create') && <CommentForm caseId={record.id} />}
            <Comments caseId={record.id} />
          </div>
        </Panel>
        <Panel title="Details" className="self-start">
          {record.description !== null && (
            <p className="mb-4 text-sm whitespace-pre-wrap wrap-anywhere">{record.description}</p>
          )}
          <CaseFacts record={record} />
        </Panel>
      </div>
    </Page>
  );
}

function Assignee({ assignee }: Pick<Case, 'assignee'>): React.JSX.Element {
  if (assignee === null) return <>Unassigned</>;
  const isUnnamed = assignee.name == null;
  return assignee.type === 'agent' && isUnnamed ? <AgentName id={assignee.id} /> : <>{actorName(assignee)}</>;
}

function CaseFacts({ record }: { record: Case }): React.JSX.Element {
  return (
    <DescriptionList
      entries={[
        ['Status', <StatusBadge key="status" status={record.status} />],
        ['Priority', sentenceCase(record.priority)],
        ['Assignee', <Assignee key="assignee" assignee={record.assignee} />],
        [
          'Agents',
          record.agent_ids.length === 0
            ? null
            : record.agent_ids.map((id) => (
                <span key={id} className="block">
                  <AgentName id={id} />
                </span>
              )),
        ],
        ['Opened by', actorName(record.opened_by)],
        ['Opened', <Instant key="opened" at={record.created_at} />],
        ['Last comment', record.last_comment_at && <Ago at={record.last_comment_at} />],
        ['Closed', record.closed_at && <Instant at={record.closed_at} />],
        ['ID', <code key="id">{record.id}</code>],
      ]}
    />
  );
}

const moves: Record<Case['status'], ReadonlyArray<readonly [to: Case['status'], label: string]>> = {
  open: [
    ['waiting', 'Mark as waiting'],
    ['closed', 'Close case'],
  ],
  waiting: [
    ['open', 'Reopen'],
    ['closed', 'Close case'],
  ],
  closed: [['open', 'Reopen']],
};

function Moves({ record }: { record: Case }): React.JSX.Element {
  const move = useOperation('cases.update', { done: 'Case updated.' });
  return (
    <>
      {moves[record.status].map(([status, label]) => (
        <Button key={status} busy={move.isPending} onClick={() => move.mutate({ case_id: record.id, status })}>
          {label}
        </Button>
      ))}
    </>
  );
}
