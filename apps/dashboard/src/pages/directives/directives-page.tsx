import { useQuery } from '@tanstack/react-query';
import { StatusBadge, sentenceCase } from '../../components/badge.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { RecordDialog } from '../../components/dialog.tsx';
import { AgentName } from '../../components/links.tsx';
import { Page } from '../../components/page.tsx';
import { RecordLink } from '../../components/record-link.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import type { Column } from '../../components/table-head.tsx';
import { Ago, Instant } from '../../components/time.tsx';
import { actorName } from '../../lib/text.ts';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
import { OperationButton, OperationDialog } from '../../operation/operation-dialog.tsx';
import { OpenLink, ResourceList } from '../../operation/resource-list.tsx';

const columns: readonly Column<Directive>[] = [
  {
    title: 'Directive',
    grow: 3,
    cell: ({ id, title }) => <OpenLink id={id}>{title}</OpenLink>,
  },
  { title: 'Status', nowrap: true, cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Priority', wide: true, cell: ({ priority }) => sentenceCase(priority) },
  { title: 'Due', wide: true, nowrap: true, cell: ({ due_at }) => due_at && <Instant at={due_at} /> },
  { title: 'Issued', wide: true, nowrap: true, cell: ({ issued_at }) => <Ago at={issued_at} /> },
];

export function DirectivesPage(): React.JSX.Element {
  const company = useCompany();
  return (
    <Page
      title="Directives"
      intro="Instructions for people and agents. A directive is in force until you suspend or resolve it."
      actions={
        <OperationButton variant="primary" operation="directives.create" label="Issue directive" needsCompany>
          {(close) => <IssueDialog onClose={close} />}
        </OperationButton>
      }
    >
      <ResourceList
        list="directives.list"
        noun="directives"
        fixed={{ company_id: company.id }}
        filters={{ status: {}, priority: {} }}
        columns={columns}
        empty={{ title: 'No directives yet', text: 'Issue a directive to instruct people and agents.' }}
        detail={(id, close) => <DirectiveDialog id={id} onClose={close} />}
      />
    </Page>
  );
}

const nextMoves: Record<Directive['status'], readonly DirectiveMove[]> = {
  issued: ['suspend', 'resolve'],
  suspended: ['resume', 'resolve'],
  resolved: [],
};

function DirectiveDialog({ id, onClose }: { id: string; onClose: () => void }): React.JSX.Element {
  const trpc = useTRPC();
  const directive = useQuery(trpc.directives.get.queryOptions({ directive_id: id }));
  return (
    <RecordDialog query={directive} noun="directive" title={({ title }) => title} onClose={onClose}>
      {(data) => <DirectiveDetails directive={data} />}
    </RecordDialog>
  );
}

function DirectiveDetails({ directive }: { directive: Directive }): React.JSX.Element {
  return (
    <>
      {directive.body !== null && <p className="text-sm whitespace-pre-wrap wrap-anywhere">{directive.body}</p>}
      <DescriptionList
        entries={[
          ['Status', <StatusBadge key="status" status={directive.status} />],
          ['Priority', sentenceCase(directive.priority)],
          ['Due', directive.due_at && <Instant at={directive.due_at} />],
          ['Issued', <Instant key="issued" at={directive.issued_at} />],
          ['Issued by', actorName(directive.issued_by)],
          ['Case', directive.case_id && <RecordLink record={{ id: directive.case_id }} text="View case" />],
          ['Agent', directive.agent_id && <AgentName id={directive.agent_id} />],
          ['Suspended', directive.suspended_at && <Instant at={directive.suspended_at} />],
          ['Suspension reason', directive.suspended_reason],
          ['Resolved', directive.resolved_at && <Instant at={directive.resolved_at} />],
          ['Resolution', directive.resolution && sentenceCase(directive.resolution)],
          ['Note', directive.resolution_note],
          ['ID', <code key="id">{directive.id}</code>],
        ]}
      />
      <div className="flex flex-wrap gap-2">
        {nextMoves[directive.status].map((move) => (
          <OperationButton
            key={move}
            operation={`directives.${move}`}
            variant={move === 'resolve' ? 'danger' : 'plain'}
            label={sentenceCase(move)}
          >
            {(close) => <MoveDialog move={move} directive={directive} onClose={close} />}
          </OperationButton>
        ))}
      </div>
    </>
  );
}

type Directive = Outputs['directives']['get'];
type DirectiveMove = 'suspend' | 'resume' | 'resolve';

function IssueDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  const company = useCompany();
  return (
    <OperationDialog
      operation="directives.create"
      title="Issue directive"
      description="A directive is in force until you suspend or resolve it."
      submit="Issue directive"
      done="Directive issued."
      fixed={{ company_id: company.id }}
      fields={{
        title: {},
        body: { label: 'Instructions' },
        priority: { initial: 'normal' },
        case_id: { label: 'Case (optional)', none: 'All cases' },
        agent_id: { label: 'Agent (optional)', none: 'All agents' },
        due_at: {},
      }}
      onClose={onClose}
    />
  );
}

const moves = {
  suspend: {
    operation: 'directives.suspend',
    verb: 'Suspend',
    done: 'Directive suspended.',
    text: 'The directive isn’t in force until resumed. We send a directive.suspended event.',
    fields: { reason: {} },
  },
  resume: {
    operation: 'directives.resume',
    verb: 'Resume',
    done: 'Directive resumed.',
    text: 'The directive is in force again.',
    fields: {},
  },
  resolve: {
    operation: 'directives.resolve',
    verb: 'Resolve',
    done: 'Directive resolved.',
    text: 'A resolved directive can’t be reopened. Issue a new one if needed.',
    fields: { resolution: { initial: 'completed' }, note: {} },
  },
} as const;

interface MoveDialogProps {
  move: DirectiveMove;
  directive: Directive;
  onClose: () => void;
}

function MoveDialog({ move, directive, onClose }: MoveDialogProps): React.JSX.Element {
  const { operation, verb, done, text, fields } = moves[move];
  return (
    <OperationDialog
      operation={operation}
      title={`${verb} “${directive.title}”?`}
      submit={`${verb} directive`}
      danger={move === 'resolve'}
      done={done}
      fixed={{ directive_id: directive.id }}
      fields={fields}
      onClose={onClose}
    >
      <p>{text}</p>
    </OperationDialog>
  );
}
