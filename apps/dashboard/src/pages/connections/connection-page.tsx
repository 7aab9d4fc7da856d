import { connectionName } from '@finhook/contracts/connection-name';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { StatusBadge } from '../../components/badge.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { Page, Panel, PendingPage } from '../../components/page.tsx';
import { RecordLink } from '../../components/record-link.tsx';
import { useZone } from '../../components/shell/company-context.ts';
import { NeedsCompany } from '../../components/shell/needs-company.tsx';
import { Ago, Day, Instant } from '../../components/time.tsx';
import { actorName } from '../../lib/text.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { useCompanies } from '../../lib/use-companies.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { adviceFor, type Connection, isSynced, whyNoSync } from './connection.view.ts';
import { ConnectDialog, DisconnectDialog, TokenDialog } from './connection-dialogs.tsx';
import { OwnerPanel } from './connection-owner.tsx';
import { freshnessReason } from './freshness.view.ts';
import { SyncPanel } from './sync-panel.tsx';

export function ConnectionPage(): React.JSX.Element {
  const trpc = useTRPC();
  const { connectionId } = useParams({ from: '/shell/connections/$connectionId' });
  const query = useQuery(trpc.bank.connections.get.queryOptions({ connection_id: connectionId }));
  if (query.data) {
    return (
      <NeedsCompany>
        <LoadedConnection connection={query.data} />
      </NeedsCompany>
    );
  }
  return <PendingPage title="Bank account" query={query} label="Loading the account" />;
}

function LoadedConnection({ connection }: { connection: Connection }): React.JSX.Element {
  return (
    <Page
      title={connectionName(connection)}
      intro={<StatusBadge status={connection.status} />}
      actions={<ConnectionActions connection={connection} />}
    >
      <SyncError connection={connection} />
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
        <Panel title="Details">
          <ConnectionDetails connection={connection} />
        </Panel>
        <Panel title="Freshness">
          <Freshness connection={connection} />
        </Panel>
      </div>
      {isSynced(connection) ? (
        <SyncPanel connection={connection} />
      ) : (
        <p className="text-sm text-muted">{whyNoSync(connection)}</p>
      )}
      <OwnerPanel
        series={{ company_id: connection.company_id, connection_id: connection.id }}
        name={connectionName(connection)}
      />
    </Page>
  );
}

function ConnectionActions({ connection }: { connection: Connection }): React.JSX.Element {
  const navigate = useNavigate();
  if (connection.status === 'disconnected') {
    return (
      <OperationButton variant="primary" operation="bank.connections.create" label="Reconnect bank">
        {(close) => (
          <ConnectDialog
            replaced={connection}
            onClose={close}
            onDone={({ id }) => void navigate({ to: '/connections/$connectionId', params: { connectionId: id } })}
          />
        )}
      </OperationButton>
    );
  }
  return (
    <>
      {isSynced(connection) && (
        <OperationButton
          variant={connection.has_secret ? 'plain' : 'primary'}
          operation="bank.connections.setSecret"
          label={connection.has_secret ? 'Replace token' : 'Store token'}
        >
          {(close) => <TokenDialog connection={connection} onClose={close} />}
        </OperationButton>
      )}
      <OperationButton variant="danger" operation="bank.connections.disconnect" label="Disconnect">
        {(close) => <DisconnectDialog connection={connection} onClose={close} />}
      </OperationButton>
    </>
  );
}

function SyncError({ connection: { error, status } }: { connection: Connection }): React.JSX.Element | null {
  if (error === null || status === 'disconnected') return null;
  return (
    <div role="alert" className="flex flex-col gap-1 rounded-md border border-bad bg-bad-soft p-4 text-sm text-bad">
      <p className="font-medium">{adviceFor(error)}</p>
      <p className="wrap-anywhere">
        {error.message} <code className="text-xs">{error.code}</code>
      </p>
    </div>
  );
}

function ConnectionDetails({ connection }: { connection: Connection }): React.JSX.Element {
  const { nameOf } = useCompanies([connection.company_id]);
  const { secret_configured_at: storedAt, secret_last4: last4 } = connection;
  return (
    <DescriptionList
      entries={[
        ['Company', nameOf(connection.company_id)],
        ['Provider', connection.provider],
        ['Bank', connection.institution_name],
        ['Account', connection.account_name],
        ['Account number', connection.account_last4 && `ends in ${connection.account_last4}`],
        ['Currency', connection.currency],
        ['URL', connection.config && <code key="url">{connection.config.url}</code>],
        ['Reference', connection.external_ref],
        [
          'Token',
          !isSynced(connection) ? null : connection.has_secret ? (
            <span key="token">
              Stored{last4 !== null && <>, ends in {last4}</>}
              {storedAt !== null && (
                <>
                  , <Ago at={storedAt} />
                </>
              )}
            </span>
          ) : (
            'None'
          ),
        ],
        [
          'Replaces',
          connection.replaces && <RecordLink record={{ id: connection.replaces }} text="Previous account" />,
        ],
        ['Connected', <Instant key="connected" at={connection.connected_at} />],
        ['Disconnected', connection.disconnected_at && <Instant at={connection.disconnected_at} />],
        ['Disconnected by', connection.disconnected_by && actorName(connection.disconnected_by)],
        ['ID', <code key="id">{connection.id}</code>],
      ]}
    />
  );
}

const backfills = {
  none: 'Starts with the first sync: the last 12 months',
  running: 'Importing the last 12 months',
  complete: 'Complete',
} as const;

function Freshness({ connection }: { connection: Connection }): React.JSX.Element {
  const { freshness, history_from: from, backfill_status: backfill } = connection;
  const received = (at: string | null): React.ReactNode => (at === null ? 'Never received' : <Ago at={at} />);
  const isPulled = isSynced(connection);
  return (
    <DescriptionList
      entries={[
        ['Balance', <Received key="balance" connection={connection} kind="balance" />],
        ['Transactions', <Received key="transactions" connection={connection} kind="transactions" />],
        ['Statements', (isPulled || freshness.statements !== null) && received(freshness.statements)],
        ['First import', isPulled && backfills[backfill]],
        ['History from', from && <Day day={from} />],
        ['Last sync', connection.last_synced_at && <Ago at={connection.last_synced_at} />],
      ]}
    />
  );
}

/** When it arrived, and what it is graded by. */
function Received({ connection, kind }: { connection: Connection; kind: 'balance' | 'transactions' }) {
  const trpc = useTRPC();
  const zone = useZone();
  const { data } = useQuery(trpc.financials.freshness.queryOptions({ company_id: connection.company_id }));
  const at = connection.freshness[kind];
  const entry = data?.streams.find(({ connection_id }) => connection_id === connection.id)?.[kind];
  if (at === null) return <>Never received</>;
  return (
    <>
      <Ago at={at} />
      {entry && data && connection.status !== 'disconnected' && (
        <span className="mt-1 flex flex-wrap items-center gap-x-2 text-xs text-muted">
          <StatusBadge status={entry.grade} /> {freshnessReason(kind, entry, { at: data.as_of, zone })}
        </span>
      )}
    </>
  );
}
