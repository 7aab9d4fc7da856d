import { useState } from 'react';
import { Badge, StatusBadge, sentenceCase } from '../../../components/badge.tsx';
import { ConfirmDialog } from '../../../components/dialog.tsx';
import { DialogButton } from '../../../components/dialog-host.tsx';
import { Page } from '../../../components/page.tsx';
import { RecordLink } from '../../../components/record-link.tsx';
import { TWO_LINES, TwoLines } from '../../../components/table-cells.tsx';
import type { Column } from '../../../components/table-head.tsx';
import { Ago, Instant } from '../../../components/time.tsx';
import { useToast } from '../../../components/toast.tsx';
import { explain } from '../../../lib/problem.ts';
import type { Outputs } from '../../../lib/trpc.ts';
import { usePermission, useSession, useSessionStore } from '../../../lib/use-session.ts';
import { OperationButton, OperationDialog } from '../../../operation/operation-dialog.tsx';
import { ResourceList } from '../../../operation/resource-list.tsx';

type SignIn = Outputs['sessions']['list']['data'][number];

export function SessionsPage(): React.JSX.Element {
  const may = usePermission();
  return (
    <Page
      title="Sessions"
      intro="Dashboard sign-ins. A session has the permissions of its API key and ends when the key does."
      actions={
        <DialogButton variant="danger" label="Sign out everywhere">
          {(close) => <SignOutEverywhere onClose={close} />}
        </DialogButton>
      }
    >
      <ResourceList
        list="sessions.list"
        noun="sessions"
        fixed={{}}
        filters={{ status: {} }}
        columns={may('sessions.revoke') ? [...columns, actions] : columns}
        rowHeight={TWO_LINES}
        empty={{ title: 'No sessions' }}
      />
    </Page>
  );
}

const actions: Column<SignIn> = {
  title: 'Actions',
  grow: 1.3,
  align: 'end',
  cell: (row) =>
    row.status === 'active' && (
      <OperationButton
        size="small"
        operation="sessions.revoke"
        label="Revoke"
        aria-label={row.current ? 'Revoke this session' : `Revoke the session on ${deviceOf(row.user_agent)}`}
      >
        {(close) => <RevokeSessionDialog session={row} onClose={close} />}
      </OperationButton>
    ),
};

const columns: readonly Column<SignIn>[] = [
  {
    title: 'Device',
    grow: 2,
    cell: (row) => (
      <TwoLines
        top={<span title={row.user_agent ?? ''}>{deviceOf(row.user_agent)}</span>}
        below={
          <>
            <span className="md:hidden">
              Used <Ago at={row.last_seen_at} />
            </span>
            <span className="hidden md:inline">{row.ip ?? 'Unknown IP address'}</span>
          </>
        }
      />
    ),
  },
  {
    title: 'Status',
    nowrap: true,
    cell: (row) => (row.current ? <Badge tone="info">This session</Badge> : <StatusBadge status={row.status} />),
  },
  {
    title: 'API key and role',
    grow: 1.3,
    wide: true,
    cell: (row) => (
      <TwoLines top={<RecordLink record={{ id: row.key_id }} text={row.key_name} />} below={sentenceCase(row.role)} />
    ),
  },
  {
    title: 'Last used, signed in',
    grow: 1.3,
    wide: true,
    nowrap: true,
    cell: (row) => <TwoLines top={<Ago at={row.last_seen_at} />} below={<Instant at={row.created_at} />} />,
  },
  {
    title: 'Ends',
    grow: 1.3,
    wide: true,
    nowrap: true,
    cell: ({ ended_at, expires_at }) => (
      <TwoLines top={<Ago at={ended_at ?? expires_at} />} below={<Instant at={ended_at ?? expires_at} />} />
    ),
  },
];

function RevokeSessionDialog({ session, onClose }: { session: SignIn; onClose: () => void }): React.JSX.Element {
  const store = useSessionStore();
  return (
    <OperationDialog
      operation="sessions.revoke"
      title={session.current ? 'Revoke this session?' : `Revoke the session on ${deviceOf(session.user_agent)}?`}
      submit="Revoke session"
      danger
      done="Session revoked."
      fixed={{ session_id: session.id }}
      onClose={onClose}
      onDone={() => session.current && store.lost()}
    >
      <p>
        {session.current
          ? 'You will be signed out immediately.'
          : 'The browser is signed out within a second. To prevent new sign-ins, revoke the API key as well.'}
      </p>
    </OperationDialog>
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
      onClose={onClose}
      title="Sign out everywhere?"
      confirm="Sign out everywhere"
      danger
      busy={busy}
      onConfirm={signOut}
    >
      <p>
        Ends all sessions of the key “<bdi>{key.name}</bdi>” within a second, including this one. The key stays active.
      </p>
    </ConfirmDialog>
  );
}

/** Specific names first: nearly every browser also claims to be Chrome and Safari. */
const browsers: ReadonlyArray<readonly [mark: RegExp, name: string]> = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];

const systems: ReadonlyArray<readonly [mark: RegExp, name: string]> = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** `Firefox on macOS`, from the user agent, which can be any text. */
export function deviceOf(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return 'Unknown device';
  const browser = browsers.find(([mark]) => mark.test(userAgent))?.[1];
  const system = systems.find(([mark]) => mark.test(userAgent))?.[1];
  if (browser === undefined) return system === undefined ? 'Unknown device' : `Browser on ${system}`;
  return system === undefined ? browser : `${browser} on ${system}`;
}
