import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CopyId } from '../../components/copy.tsx';
import type { Column } from '../../components/data-table.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ConnectionName } from '../../components/links.tsx';
import { Money } from '../../components/money.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { SimpleTable } from '../../components/simple-table.tsx';
import { EmptyState, ErrorState, Loaded, Loading } from '../../components/states.tsx';
import { Day, Instant } from '../../components/time.tsx';
import { useConnectionNames } from '../../lib/connection-names.ts';
import { actorName } from '../../lib/text.ts';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { CorrectBalanceDialog } from './balance-form-dialog.tsx';
import type { Balance } from './balances.view.ts';

export function BalanceDialog({ id, onClose }: { id: string | undefined; onClose: () => void }): React.JSX.Element {
  return (
    <Dialog open={id !== undefined} onClose={onClose} title="Cash balance" variant="side">
      {id !== undefined && <Content id={id} />}
    </Dialog>
  );
}

function Content({ id }: { id: string }): React.JSX.Element {
  const trpc = useTRPC();
  const company = useCompany();
  const names = useConnectionNames(company.id);
  const found = useQuery(trpc.cash.balances.get.queryOptions({ company_id: company.id, balance_id: id }));
  if (!found.data && found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <Loading label="Reading the balance" lines={6} />;
  const balance = found.data;
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <p className="text-2xl font-semibold">
            <Money cents={balance.balance_cents} currency={balance.currency} />
          </p>
          <p className="mt-1 text-sm text-muted">
            As of <Day day={balance.as_of} />
          </p>
        </div>
        <OperationButton operation="cash.balances.upsert" label="Correct balance" here>
          {(close) => <CorrectBalanceDialog balance={balance} onClose={close} />}
        </OperationButton>
      </div>
      <DescriptionList
        entries={[
          ['Connection', <ConnectionName key="connection" id={balance.connection_id} names={names} />],
          ['Currency', balance.currency],
          ['Minor units', <code key="units">{balance.balance_cents}</code>],
          ['Source', balance.source],
          ['First received', <Instant key="created" at={balance.created_at} seconds />],
          ['Last received', <Instant key="updated" at={balance.updated_at} seconds />],
          ['Id', <CopyId key="id" id={balance.id} what="id" />],
          balance.connection_id === null
            ? ['Connection id', null]
            : ['Connection id', <CopyId key="connection" id={balance.connection_id} what="connection id" />],
        ]}
      />
      <History balance={balance} />
    </div>
  );
}

type Posted = Outputs['activity']['list']['data'][number];
const SHOWN = 20;

const columns: readonly Column<Posted>[] = [
  { id: 'at', title: 'When', cell: (row) => <Instant at={row.created_at} /> },
  { id: 'who', title: 'Who', cell: ({ actor }) => <span className="wrap-anywhere">{actorName(actor)}</span> },
  {
    id: 'event',
    title: 'Event',
    cell: ({ events: [event] }) =>
      event ? (
        <Link to="/events/$eventId" params={{ eventId: event.id }} className="text-accent underline">
          Show event
        </Link>
      ) : (
        '–'
      ),
  },
];

function History({ balance }: { balance: Balance }): React.JSX.Element {
  const trpc = useTRPC();
  const posts = useQuery(
    trpc.activity.list.queryOptions({ company_id: balance.company_id, resource_id: balance.id, limit: SHOWN }),
  );
  return (
    <section aria-label="Posts of this balance" className="flex flex-col gap-2 border-t pt-4">
      <h3 className="text-sm font-semibold">Posted</h3>
      <Loaded query={posts} label="Reading the activity log" lines={2}>
        {({ data }) => (
          <SimpleTable
            label="Posts of this balance"
            rows={data}
            columns={columns}
            keyOf={({ id }) => id}
            empty={<EmptyState title="No log entries" />}
          />
        )}
      </Loaded>
      {posts.data?.has_more === true && (
        <Link to="/logs" search={{ resource_id: balance.id }} className="text-sm text-accent underline">
          Show all in the activity log
        </Link>
      )}
    </section>
  );
}
