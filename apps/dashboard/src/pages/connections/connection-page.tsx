import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { StatusBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { Page, Panel, PendingPage } from '../../components/page.tsx';
import { NeedsCompany } from '../../components/shell/needs-company.tsx';
import { Loading } from '../../components/states.tsx';
import { Ago, Day, Instant } from '../../components/time.tsx';
import { connectionName } from '../../lib/connection-names.ts';
import { actorName } from '../../lib/text.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { useCompanies } from '../../lib/use-companies.ts';
import { usePermission } from '../../lib/use-session.ts';
import { ConnectDialog } from './connect-dialog.tsx';
import { adviceFor, type Connection } from './connection.view.ts';
import { DisconnectDialog } from './disconnect-dialog.tsx';
import { SyncPanel } from './sync-panel.tsx';
import { TokenDialog } from './token-dialog.tsx';

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
  return (
    <PendingPage title="Bank connection" query={query}>
      <Loading label="Loading the connection" lines={5} />
    </PendingPage>
  );
}

type Doing = 'token' | 'disconnect' | 'reconnect';

function LoadedConnection({ connection }: { connection: Connection }): React.JSX.Element {
  const navigate = useNavigate();
  const [doing, setDoing] = useState<Doing>();
  const close = (): void => setDoing(undefined);
  return (
    <Page
      title={connectionName(connection)}
      intro={<StatusBadge status={connection.status} />}
      actions={<ConnectionActions connection={connection} onDo={setDoing} />}
    >
      <Trouble connection={connection} />
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
        <Panel title="About">
          <AboutFacts connection={connection} />
        </Panel>
        <Panel title="Freshness">
          <FreshnessFacts connection={connection} />
        </Panel>
      </div>
      <SyncPanel connection={connection} />
      {doing === 'token' && <TokenDialog connection={connection} onClose={close} />}
      {doing === 'disconnect' && <DisconnectDialog connection={connection} onClose={close} />}
      {doing === 'reconnect' && (
        <ConnectDialog
          replaced={connection}
          onClose={close}
          onDone={({ id }) => void navigate({ to: '/connections/$connectionId', params: { connectionId: id } })}
        />
      )}
    </Page>
  );
}

interface ConnectionActionsProps {
  connection: Connection;
  onDo: (doing: Doing) => void;
}

function ConnectionActions({ connection, onDo }: ConnectionActionsProps): React.JSX.Element | null {
  const may = usePermission();
  if (!may('bank.connections.disconnect')) return null;
  if (connection.status === 'disconnected') {
    return (
      <Button variant="primary" onClick={() => onDo('reconnect')}>
        Reconnect bank
      </Button>
    );
  }
  return (
    <>
      <Button variant={connection.has_secret ? 'plain' : 'primary'} onClick={() => onDo('token')}>
        {connection.has_secret ? 'Replace token' : 'Store token'}
      </Button>
      <Button variant="danger" onClick={() => onDo('disconnect')}>
        Disconnect
      </Button>
    </>
  );
}

function Trouble({ connection: { error, status } }: { connection: Connection }): React.JSX.Element | null {
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

function AboutFacts({ connection }: { connection: Connection }): React.JSX.Element {
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
        ['Address', connection.config && <code key="url">{connection.config.url}</code>],
        ['Reference', connection.external_ref],
        [
          'Token',
          connection.has_secret ? (
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
          'Continues',
          connection.replaces && (
            <Link
              to="/connections/$connectionId"
              params={{ connectionId: connection.replaces }}
              className="text-accent underline"
            >
              The connection before
            </Link>
          ),
        ],
        ['Connected', <Instant key="connected" at={connection.connected_at} />],
        ['Disconnected', connection.disconnected_at && <Instant at={connection.disconnected_at} />],
        ['Disconnected by', connection.disconnected_by && actorName(connection.disconnected_by)],
        ['Id', <code key="id">{connection.id}</code>],
      ]}
    />
  );
}

const backfills = {
  none: 'Not yet: the first sync covers the last twelve months',
  running: 'Running: the last twelve months are being read',
  complete: 'Complete',
} as const;

function FreshnessFacts({ connection }: { connection: Connection }): React.JSX.Element {
  const { freshness, history_from: from, backfill_status: backfill } = connection;
  const arrival = (at: string | null): React.ReactNode => (at === null ? 'Never received' : <Ago at={at} />);
  return (
    <DescriptionList
      entries={[
        ['Balance', arrival(freshness.balance)],
        ['Transactions', arrival(freshness.transactions)],
        ['Statements', arrival(freshness.statements)],
        ['Backfill', backfills[backfill]],
        ['History from', from && <Day day={from} />],
        ['Last sync', connection.last_synced_at && <Ago at={connection.last_synced_at} />],
      ]}
    />
  );
}
