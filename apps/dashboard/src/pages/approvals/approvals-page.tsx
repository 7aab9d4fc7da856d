import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Badge } from '../../components/badge.tsx';
import { Money } from '../../components/money.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { countText, useInbox, type Waiting } from '../../components/shell/inbox.ts';
import { NeedsCompany } from '../../components/shell/needs-company.tsx';
import { EmptyState, Loaded } from '../../components/states.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { useNow } from '../../components/time.tsx';
import { useRecordNames } from '../../lib/record-names.ts';
import { actorName, visibleText } from '../../lib/text.ts';
import { localOf } from '../../lib/zoned-time.ts';
import { AllWires } from './all-wires.tsx';
import { groupsOf } from './inbox.view.ts';
import { RecordWireButton } from './record-wire.tsx';
import { TimeLeft } from './time-left.tsx';

export function ApprovalsPage(): React.JSX.Element {
  const { tab = 'waiting' } = useSearch({ from: '/shell/approvals' });
  const navigate = useNavigate({ from: '/approvals' });
  const inbox = useInbox();
  const count = inbox.waiting.length;
  return (
    <Page
      title="Approvals"
      count={count === 0 ? undefined : countText(inbox)}
      intro="Approve or deny wires and agent requests. Requests that nobody decides in time expire."
      actions={<RecordWireButton />}
    >
      <NeedsCompany>
        <Tabs
          label="Approvals"
          tabs={[
            { id: 'waiting', title: count === 0 ? 'Waiting' : `Waiting (${countText(inbox)})`, content: <Inbox /> },
            { id: 'wires', title: 'All wires', content: <AllWires /> },
          ]}
          value={tab}
          onChange={(next) =>
            void navigate({ search: ({ company }) => (company === undefined ? { tab: next } : { company, tab: next }) })
          }
        />
      </NeedsCompany>
    </Page>
  );
}

/** What waits for a decision, the soonest deadline first. */
function Inbox(): React.JSX.Element {
  const { waiting, isCut, query } = useInbox();
  return (
    <Loaded query={query} label="Loading approvals" lines={6}>
      {() => (
        <>
          <Groups waiting={waiting} />
          {isCut && <p className="text-sm text-muted">Showing the {waiting.length} approvals that expire first.</p>}
        </>
      )}
    </Loaded>
  );
}

function Groups({ waiting }: { waiting: readonly Waiting[] }): React.ReactNode {
  const { timezone } = useCompany();
  const today = localOf(new Date(useNow()).toISOString(), timezone).slice(0, 10);
  if (waiting.length === 0) {
    return (
      <EmptyState title="Nothing waits for approval">
        Wires at or above the company’s threshold, or in a currency other than its base currency, and requests of agents
        appear here.
      </EmptyState>
    );
  }
  return groupsOf(waiting, today, timezone).map((group) => (
    <Panel key={group.title} title={group.title} flush>
      <WaitingList waiting={group.waiting} />
    </Panel>
  ));
}

function WaitingList({ waiting }: { waiting: readonly Waiting[] }): React.JSX.Element {
  const names = useRecordNames([...new Set(waiting.flatMap(({ agent_id }) => agent_id ?? []))]);
  return (
    <ul className="divide-y">
      {waiting.map((one) => (
        <WaitingRow key={one.id} waiting={one} agent={one.agent_id === null ? undefined : names.get(one.agent_id)} />
      ))}
    </ul>
  );
}

function WaitingRow({ waiting, agent }: { waiting: Waiting; agent: string | undefined }): React.JSX.Element {
  const { id, kind, title, description, amount_cents, currency, risk, requested_by, expires_at } = waiting;
  const by = agent ?? (requested_by && actorName(requested_by));
  const about = [kind === 'wire' ? 'Wire' : 'Agent request', by, kind === 'wire' ? description : null];
  return (
    <li className="relative flex flex-wrap items-center justify-end gap-x-4 gap-y-1 px-5 py-3 hover:bg-sunken/50 has-[:focus-visible]:bg-sunken/50">
      <div className="min-w-0 grow basis-60">
        <Link
          to="/approvals/$approvalId"
          params={{ approvalId: id }}
          className="font-medium wrap-anywhere after:absolute after:inset-0 hover:underline"
        >
          {visibleText(title)}
        </Link>
        <p className="line-clamp-2 text-xs wrap-anywhere text-muted">
          {visibleText(about.filter((part) => part != null && part !== '').join(' · '))}
        </p>
      </div>
      {risk === 'high' && <Badge tone="bad">High risk</Badge>}
      {amount_cents !== null && currency !== null && (
        <Money cents={amount_cents} currency={currency} className="font-medium sm:min-w-36 sm:text-right" />
      )}
      {expires_at !== null && (
        <span className="text-sm sm:min-w-24 sm:text-right">
          <TimeLeft approval={{ status: 'pending', expires_at }} alone />
        </span>
      )}
    </li>
  );
}
