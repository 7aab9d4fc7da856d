import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge, StatusBadge } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { ConfirmDialog } from '../../../components/dialog.tsx';
import { SelectField } from '../../../components/field.tsx';
import { FilterBar } from '../../../components/filter-bar.tsx';
import { Page, Panel } from '../../../components/page.tsx';
import { EmptyState } from '../../../components/states.tsx';
import { TWO_LINES, TwoLines } from '../../../components/table-cells.tsx';
import { Ago, Instant } from '../../../components/time.tsx';
import { useToast } from '../../../components/toast.tsx';
import { useKeysetRows } from '../../../lib/keyset-rows.ts';
import { explain } from '../../../lib/problem.ts';
import { type Outputs, useTRPC } from '../../../lib/trpc.ts';
import { usePermission, useSession, useSessionStore } from '../../../lib/use-session.ts';
import { asFilter } from '../../../operation/resource-list.tsx';
import { useOperation } from '../../../operation/use-operation.ts';
import { RecordLink } from '../../logs/record-link.tsx';
import { deviceOf } from './sessions.view.ts';

type SignIn = Outputs['sessions']['list']['data'][number];

export function SessionsPage(): React.JSX.Element {
  const [asks, setAsks] = useState<SignIn | 'everywhere'>();
  const { status } = useSearch({ from: '/shell/settings/sessions' });
  const navigate = useNavigate({ from: '/settings/sessions' });
  const change = (next: string): void => {
    void navigate({
      search: ({ status: _status, ...rest }) => ({ ...rest, ...(next !== '' && { status: next }) }),
      replace: true,
    });
  };
  const close = (): void => setAsks(undefined);
  return (
    <Page
      title="Sessions"
      intro="Sign-ins to this dashboard. Each session has the permissions of its API key and ends with the key."
      actions={
        <Button variant="danger" onClick={() => setAsks('everywhere')}>
          Sign out everywhere
        </Button>
      }
    >
      <FilterBar label="Filter the sessions" isSet={status !== undefined} onClear={() => change('')}>
        <SelectField
          label="Status"
          value={status ?? ''}
          onChange={(event) => change(event.target.value)}
          className="w-36"
        >
          <option value="">All</option>
          <option value="active">Active</option>
          <option value="ended">Ended</option>
        </SelectField>
      </FilterBar>
      <SessionTable status={status} onRevoke={setAsks} />
      {asks === 'everywhere' && <SignOutEverywhere onClose={close} />}
      {asks !== undefined && asks !== 'everywhere' && <RevokeSession session={asks} onClose={close} />}
    </Page>
  );
}

function SessionTable({ status, onRevoke }: { status: string | undefined; onRevoke: (session: SignIn) => void }) {
  const trpc = useTRPC();
  const may = usePermission();
  const rows = useKeysetRows((page) =>
    trpc.sessions.list.queryOptions({ ...(status !== undefined && { status: asFilter(status) }), ...page }),
  );
  return (
    <Panel title="Sessions" flush>
      <DataTable
        label="Sessions"
        rows={rows}
        columns={columnsOf(may('sessions.revoke') ? onRevoke : undefined)}
        keyOf={({ id }) => id}
        rowHeight={TWO_LINES}
        empty={<EmptyState title="No sessions match the filters" />}
      />
    </Panel>
  );
}

function columnsOf(onRevoke: ((session: SignIn) => void) | undefined): readonly Column<SignIn>[] {
  return [
    {
      id: 'device',
      title: 'Device and address',
      grow: 1.5,
      cell: (row) => (
        <TwoLines
          top={<span title={row.user_agent ?? ''}>{deviceOf(row.user_agent)}</span>}
          below={row.ip === null ? 'address unknown' : `from ${row.ip}`}
        />
      ),
    },
    {
      id: 'status',
      title: 'Status',
      whole: true,
      cell: (row) => (row.current ? <Badge tone="info">This session</Badge> : <StatusBadge status={row.status} />),
    },
    {
      id: 'key',
      title: 'Key and role',
      grow: 1.3,
      wide: true,
      cell: (row) => <TwoLines top={<RecordLink record={{ id: row.key_id }} text={row.key_name} />} below={row.role} />,
    },
    {
      id: 'used',
      title: 'Last used, signed in',
      grow: 1.3,
      wide: true,
      whole: true,
      cell: (row) => <TwoLines top={<Ago at={row.last_seen_at} />} below={<Instant at={row.created_at} />} />,
    },
    {
      id: 'ends',
      title: 'Ends',
      grow: 1.3,
      wide: true,
      whole: true,
      cell: ({ ended_at, expires_at }) => (
        <TwoLines top={<Ago at={ended_at ?? expires_at} />} below={<Instant at={ended_at ?? expires_at} />} />
      ),
    },
    ...(onRevoke
      ? [
          {
            id: 'do',
            title: 'Actions',
            grow: 1.3,
            align: 'end' as const,
            cell: (row: SignIn) =>
              row.status === 'active' && (
                <Button
                  size="small"
                  onClick={() => onRevoke(row)}
                  aria-label={row.current ? 'Revoke this session' : `Revoke the session on ${deviceOf(row.user_agent)}`}
                >
                  Revoke
                </Button>
              ),
          },
        ]
      : []),
  ];
}

function RevokeSession({ session, onClose }: { session: SignIn; onClose: () => void }): React.JSX.Element {
  const store = useSessionStore();
  const revoke = useOperation('sessions.revoke', {
    quiet: true,
    done: 'The session has ended.',
    onDone() {
      if (session.current) {
        store.lost();
        return;
      }
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={session.current ? 'End this session?' : `End the session on ${deviceOf(session.user_agent)}?`}
      confirm="Revoke session"
      danger
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate({ session_id: session.id })}
    >
      <p>
        {session.current
          ? 'This is your current session. You will be signed out immediately.'
          : 'The browser is signed out within a second. To block further sign-ins, revoke the API key too.'}
      </p>
    </ConfirmDialog>
  );
}

function SignOutEverywhere({ onClose }: { onClose: () => void }): React.JSX.Element {
  const store = useSessionStore();
  const toast = useToast();
  const { api_key: key } = useSession();
  const [busy, setBusy] = useState(false);
  function signOut(): void {
    setBusy(true);
    store.signOut(true).catch((error: unknown) => {
      setBusy(false);
      toast.bad(explain(error));
    });
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Sign out everywhere?"
      confirm="Sign out everywhere"
      danger
      busy={busy}
      onConfirm={signOut}
    >
      <p>
        Every session of the key “<bdi>{key.name}</bdi>” ends within a second, including this one. The key stays active.
      </p>
    </ConfirmDialog>
  );
}
