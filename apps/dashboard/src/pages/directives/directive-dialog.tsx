import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { StatusBadge, sentenceCase } from '../../components/badge.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { RecordDialog } from '../../components/dialog.tsx';
import { AgentName } from '../../components/links.tsx';
import { Instant } from '../../components/time.tsx';
import { actorName } from '../../lib/text.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { type Directive, type DirectiveMove, MoveDialog } from './directive-dialogs.tsx';

const moves: Record<Directive['status'], readonly DirectiveMove[]> = {
  issued: ['suspend', 'resolve'],
  suspended: ['resume', 'resolve'],
  resolved: [],
};

export function DirectiveDialog({ id, onClose }: { id: string; onClose: () => void }): React.JSX.Element {
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
          [
            'Case',
            directive.case_id && (
              <Link to="/cases/$caseId" params={{ caseId: directive.case_id }} className="text-accent underline">
                View case
              </Link>
            ),
          ],
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
        {moves[directive.status].map((move) => (
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
