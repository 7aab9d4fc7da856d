import { useQuery } from '@tanstack/react-query';
import { CopyId } from '../../components/copy.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { RecordDialog } from '../../components/dialog.tsx';
import { ConnectionName } from '../../components/links.tsx';
import { Money } from '../../components/money.tsx';
import { LogLink, RecordLink } from '../../components/record-link.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { SimpleTable } from '../../components/simple-table.tsx';
import { EmptyState, Loaded } from '../../components/states.tsx';
import type { Column } from '../../components/table-head.tsx';
import { Day, Instant } from '../../components/time.tsx';
import { accountName, useConnectionNames } from '../../lib/connection-names.ts';
import { formatDay } from '../../lib/format-time.ts';
import { actorName } from '../../lib/text.ts';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
import { todayIn } from '../../lib/zoned-time.ts';
import { OperationButton, OperationDialog } from '../../operation/operation-dialog.tsx';
import type { Balance } from './cash-sum.view.ts';

export function BalanceDialog({ id, onClose }: { id: string; onClose: () => void }): React.JSX.Element {
  const trpc = useTRPC();
  const company = useCompany();
  const found = useQuery(trpc.cash.balances.get.queryOptions({ company_id: company.id, balance_id: id }));
  return (
    <RecordDialog query={found} noun="balance" title={() => 'Balance'} onClose={onClose}>
      {(balance) => <BalanceDetails balance={balance} />}
    </RecordDialog>
  );
}

function BalanceDetails({ balance }: { balance: Balance }): React.JSX.Element {
  const names = useConnectionNames(balance.company_id);
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
        <OperationButton operation="cash.balances.upsert" label="Correct balance" needsCompany>
          {(close) => <CorrectBalanceDialog balance={balance} onClose={close} />}
        </OperationButton>
      </div>
      <DescriptionList
        entries={[
          ['Account', <ConnectionName key="connection" id={balance.connection_id} names={names} />],
          ['Currency', balance.currency],
          ['Source', balance.source],
          ['First received', <Instant key="created" at={balance.created_at} seconds />],
          ['Last received', <Instant key="updated" at={balance.updated_at} seconds />],
          ['ID', <CopyId key="id" id={balance.id} what="ID" />],
          ['Account ID', balance.connection_id && <CopyId id={balance.connection_id} what="account ID" />],
        ]}
      />
      <History balance={balance} />
    </div>
  );
}

type Activity = Outputs['activity']['list']['data'][number];
const SHOWN = 20;

const columns: readonly Column<Activity>[] = [
  { title: 'Time', cell: (row) => <Instant at={row.created_at} /> },
  { title: 'Posted by', cell: ({ actor }) => <span className="wrap-anywhere">{actorName(actor)}</span> },
  {
    title: 'Event',
    cell: ({ events: [event] }) => (event ? <RecordLink record={{ id: event.id }} text="View event" /> : '–'),
  },
];

function History({ balance }: { balance: Balance }): React.JSX.Element {
  const trpc = useTRPC();
  const posts = useQuery(
    trpc.activity.list.queryOptions({ company_id: balance.company_id, resource_id: balance.id, limit: SHOWN }),
  );
  return (
    <section aria-label="History" className="flex flex-col gap-2 border-t pt-4">
      <h3 className="text-sm font-semibold">History</h3>
      <Loaded query={posts} label="Loading the history" lines={2}>
        {({ data }) => (
          <SimpleTable
            label="History of this balance"
            rows={data}
            columns={columns}
            keyOf={({ id }) => id}
            empty={<EmptyState title="No history" />}
          />
        )}
      </Loaded>
      {posts.data?.has_more === true && <LogLink of={balance.id} text="View all in activity log" />}
    </section>
  );
}

type Posted = Outputs['cash']['balances']['upsert'];

const messages: Record<Posted['result'], string> = {
  created: 'Balance added.',
  updated: 'Balance corrected.',
  unchanged: 'No change.',
};

function resultText({ result, warnings }: Posted): string {
  return [messages[result], ...warnings.map(({ message }) => message)].join(' ');
}

const amount = {
  balance_cents: { label: 'Balance', half: true, required: true, hint: 'Negative when overdrawn' },
  currency: { half: true, required: true },
};

export function AddBalanceDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  const company = useCompany();
  return (
    <OperationDialog
      operation="cash.balances.upsert"
      title="Add balance"
      description="Each account has one balance per day. Adding another replaces it."
      submit="Add balance"
      done={resultText}
      fixed={{ company_id: company.id, source: 'dashboard' }}
      fields={{
        as_of: { half: true, initial: todayIn(company.timezone), hint: 'End-of-day balance' },
        connection_id: { half: true, label: 'Account ID', hint: 'Leave empty if it has no account' },
        ...amount,
      }}
      onClose={onClose}
    />
  );
}

function CorrectBalanceDialog({ balance, onClose }: { balance: Balance; onClose: () => void }) {
  const company = useCompany();
  const { as_of, connection_id } = balance;
  const account = accountName(useConnectionNames(company.id), connection_id);
  return (
    <OperationDialog
      operation="cash.balances.upsert"
      title="Correct balance"
      description={`Replaces the balance of ${account} on ${formatDay(as_of)}. The previous value stays in the activity log.`}
      submit="Correct balance"
      done={resultText}
      fixed={{ company_id: company.id, as_of, connection_id, source: 'dashboard' }}
      record={balance}
      sendsAll
      fields={amount}
      onClose={onClose}
    />
  );
}
