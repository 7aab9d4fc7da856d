import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { StatusBadge, sentenceCase } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { RecordDialog } from '../../components/dialog.tsx';
import { AgentName } from '../../components/links.tsx';
import { Instant } from '../../components/time.tsx';
import { actorName } from '../../lib/text.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { usePermission } from '../../lib/use-session.ts';
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
  const may = usePermission();
  const [move, setMove] = useState<DirectiveMove | undefined>();
  return (
    <div className="flex flex-col gap-5">
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
      {may('directives.resolve') && (
        <div className="flex flex-wrap gap-2">
          {moves[directive.status].map((name) => (
            <Button key={name} variant={name === 'resolve' ? 'danger' : 'plain'} onClick={() => setMove(name)}>
              {sentenceCase(name)}
            </Button>
          ))}
        </div>
      )}
      {move !== undefined && <MoveDialog move={move} directive={directive} onClose={() => setMove(undefined)} />}
    </div>
  );
}
