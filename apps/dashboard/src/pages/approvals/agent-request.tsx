import { useQuery } from '@tanstack/react-query';
import { sentenceCase } from '../../components/badge.tsx';
import { JsonBlock } from '../../components/copy.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { Fold } from '../../components/fold.tsx';
import { AgentName } from '../../components/links.tsx';
import { PendingPage } from '../../components/page.tsx';
import { RecordLink } from '../../components/record-link.tsx';
import { useInbox } from '../../components/shell/inbox.ts';
import { Loaded } from '../../components/states.tsx';
import { Instant } from '../../components/time.tsx';
import { useRecordNames } from '../../lib/record-names.ts';
import { actorName, visibleText } from '../../lib/text.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { useCompanies } from '../../lib/use-companies.ts';
import { KeepEdits } from '../../operation/keep-edits.tsx';
import { useCriticalFlagsQuery } from '../agents/flag-queries.ts';
import { AgentDecision } from './agent-decision.tsx';
import { type AgentApproval, samePersonNote } from './approval.view.ts';
import { ApprovalBlocks, Details } from './blocks.tsx';
import { requestFacts } from './context.view.ts';
import { Facts, fieldEntry } from './facts.tsx';
import { payloadFields } from './payload.view.ts';

export function AgentRequest({ id }: { id: string }): React.JSX.Element {
  const trpc = useTRPC();
  const query = useQuery(trpc.agentApprovals.get.queryOptions({ agent_approval_id: id }));
  if (query.data) return <LoadedRequest approval={query.data} />;
  return <PendingPage title="Agent request" query={query} label="Loading the request" />;
}

function LoadedRequest({ approval }: RequestProps): React.JSX.Element {
  return (
    <ApprovalBlocks
      title={visibleText(approval.title)}
      approval={approval}
      what={<What approval={approval} />}
      know={<Know approval={approval} />}
      decide={
        <KeepEdits of={approval.id} value={approval}>
          {(shown, release) => <AgentDecision approval={shown} onEnd={release} />}
        </KeepEdits>
      }
    />
  );
}

interface RequestProps {
  approval: AgentApproval;
}

function What({ approval }: RequestProps): React.JSX.Element {
  return (
    <div className="flex flex-col gap-4">
      {approval.description !== null && (
        <p className="text-sm whitespace-pre-wrap wrap-anywhere">{visibleText(approval.description)}</p>
      )}
      {approval.payload != null && <Values title="Values" value={approval.payload} />}
      {approval.edited_payload != null && <Values title="Approved values" value={approval.edited_payload} />}
      <RequestFacts approval={approval} />
    </div>
  );
}

function Values({ title, value }: { title: string; value: unknown }): React.JSX.Element {
  return (
    <section aria-label={title} className="flex flex-col gap-2 rounded-md border p-3">
      <h3 className="text-sm font-semibold">{title}</h3>
      <DescriptionList entries={payloadFields(value).map(fieldEntry)} />
      <Fold title="JSON" opens={false} titleClass="w-fit rounded text-xs text-accent">
        <div className="mt-2">
          <JsonBlock label={title} value={value} />
        </div>
      </Fold>
    </section>
  );
}

function RequestFacts({ approval }: RequestProps): React.JSX.Element {
  const { nameOf } = useCompanies([approval.company_id]);
  return (
    <div>
      <DescriptionList
        entries={[
          ['Agent', <AgentName key="agent" id={approval.agent_id} />],
          ['Risk', approval.risk && sentenceCase(approval.risk)],
          [
            'Action',
            approval.action_id && (
              <RecordLink record={{ id: approval.action_id, stored: approval }} text="View action" />
            ),
          ],
          ['Requested by', approval.requested_by && <ActorLine actor={approval.requested_by} />],
          ['Decision', approval.chosen_option],
          ['Decided', approval.decided_at && <Instant at={approval.decided_at} />],
          ['Decided by', approval.decided_by && <ActorLine actor={approval.decided_by} />],
          ['Note', samePersonNote(approval)],
          ['Comment', approval.decision_comment],
        ]}
      />
      <Details
        entries={[
          ['Company', nameOf(approval.company_id)],
          ['Requested', <Instant key="requested" at={approval.requested_at} />],
          ['Expires', approval.expires_at && <Instant at={approval.expires_at} />],
          ['ID', <code key="id">{approval.id}</code>],
        ]}
      />
    </div>
  );
}

function ActorLine({ actor }: { actor: NonNullable<AgentApproval['decided_by']> }): React.JSX.Element {
  return (
    <>
      {visibleText(actorName(actor))}
      {actor.person_id !== null && actor.person_id !== actor.id && (
        <span className="block text-muted">
          Person: <PersonName id={actor.person_id} />
        </span>
      )}
    </>
  );
}

/** The id of a person is that of their first key. */
function PersonName({ id }: { id: string }): React.JSX.Element {
  const name = useRecordNames([id]).get(id);
  return <span title={id}>{visibleText(name ?? id)}</span>;
}

function Know({ approval }: RequestProps): React.JSX.Element {
  const trpc = useTRPC();
  const { agent_id, company_id } = approval;
  const { waiting } = useInbox();
  const agent = useQuery(trpc.agents.get.queryOptions({ agent_id }));
  const flags = useQuery(useCriticalFlagsQuery()(agent_id, company_id));
  return (
    <Loaded query={flags} label="Loading what is known">
      {({ data }) => <Facts facts={requestFacts(approval, data, waiting, agent.data)} />}
    </Loaded>
  );
}
