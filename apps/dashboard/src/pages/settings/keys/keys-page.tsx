import { useQuery } from '@tanstack/react-query';
import { Badge, StatusBadge } from '../../../components/badge.tsx';
import { useOpenDialog } from '../../../components/dialog-host.tsx';
import { ActionMenu } from '../../../components/menu.tsx';
import { Page } from '../../../components/page.tsx';
import { TWO_LINES, TwoLines } from '../../../components/table-cells.tsx';
import type { Column } from '../../../components/table-head.tsx';
import { Ago, Instant } from '../../../components/time.tsx';
import { plural } from '../../../lib/text.ts';
import { useTRPC } from '../../../lib/trpc.ts';
import { usePermission, useSession } from '../../../lib/use-session.ts';
import { OperationButton } from '../../../operation/operation-dialog.tsx';
import { OpenLink, ResourceList } from '../../../operation/resource-list.tsx';
import { KeyDetails, LastUse, MaskedKey } from './key-details.tsx';
import { RevokeKeyDialog, RotateKeyDialog } from './key-dialogs.tsx';
import { CreateKeyDialog } from './key-form.tsx';
import { type ApiKey, accessSummary, scopeLabel, scopes } from './keys.view.ts';

export function KeysPage(): React.JSX.Element {
  const may = usePermission();
  const { api_key: own } = useSession();
  return (
    <Page
      title="API keys"
      intro="Each key is shown once and stored as a hash. Use a separate key with minimal permissions for each integration. Keys you create act as you. To add another approver, ask your operator."
      actions={
        <OperationButton variant="primary" operation="apiKeys.create" label="Create key">
          {(onClose) => <CreateKeyDialog onClose={onClose} />}
        </OperationButton>
      }
    >
      <UnusedKeys />
      <ResourceList
        list="apiKeys.list"
        title="All keys"
        noun="API keys"
        fixed={{}}
        filters={{
          q: { label: 'Search' },
          status: {},
          scope: { choices: scopes.map(([id, label]) => [id, label] as const) },
        }}
        columns={columnsOf(own.id, may('apiKeys.create'))}
        rowHeight={TWO_LINES}
        exports
        empty={{ title: 'No visible keys', text: 'A restricted key sees only keys with the same or less access.' }}
        detail={(id, onClose) => <KeyDetails id={id} onClose={onClose} />}
      />
    </Page>
  );
}

function UnusedKeys(): React.ReactNode {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.apiKeys.list.queryOptions({ status: 'active', limit: 200 }));
  const unused = data?.data.filter((key) => key.unused) ?? [];
  if (unused.length === 0) return null;
  return (
    <section aria-label="Unused keys" className="rounded-md border border-warn bg-warn-soft p-3 text-sm text-warn">
      <p>{plural(unused.length, 'key')} not used in the last 45 days. Revoke keys that you no longer need.</p>
      <ul className="mt-1 flex flex-wrap gap-x-4">
        {unused.map(({ id, name }) => (
          <li key={id}>
            <OpenLink id={id} className="underline">
              {name}
            </OpenLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

const actions: Column<ApiKey> = {
  title: 'Actions',
  align: 'end',
  cell: (row) => row.status === 'active' && <KeyMenu row={row} />,
};

function columnsOf(ownId: string, mayChange: boolean): readonly Column<ApiKey>[] {
  return [
    { title: 'Name', grow: 2, cell: (row) => <NameCell row={row} isOwn={row.id === ownId} /> },
    { title: 'Status', grow: 1.2, nowrap: true, cell: (row) => <KeyStatus apiKey={row} /> },
    {
      title: 'Scope and access',
      grow: 1.4,
      wide: true,
      cell: (row) => (
        <TwoLines top={scopeLabel(row.scope)} below={<span title={accessSummary(row)}>{accessSummary(row)}</span>} />
      ),
    },
    { title: 'Last used', grow: 1.2, wide: true, nowrap: true, cell: (row) => <LastUse apiKey={row} /> },
    {
      title: 'Expires',
      grow: 1.2,
      wide: true,
      nowrap: true,
      cell: ({ expires_at: at }) =>
        at === null ? (
          <span className="text-muted">Never</span>
        ) : (
          <TwoLines top={<Ago at={at} />} below={<Instant at={at} />} />
        ),
    },
    ...(mayChange ? [actions] : []),
  ];
}

function NameCell({ row, isOwn }: { row: ApiKey; isOwn: boolean }): React.JSX.Element {
  return (
    <TwoLines
      top={
        <OpenLink id={row.id} title={row.name}>
          {row.name}
        </OpenLink>
      }
      below={
        <>
          <MaskedKey apiKey={row} />
          {isOwn && ' · this session'}
        </>
      }
    />
  );
}

function KeyStatus({ apiKey }: { apiKey: ApiKey }): React.JSX.Element {
  return (
    <span className="flex gap-1">
      <StatusBadge status={apiKey.status} />
      {apiKey.unused && <Badge tone="warn">Unused</Badge>}
      {apiKey.status === 'active' && apiKey.rotated_to !== null && <Badge tone="info">Rotated</Badge>}
    </span>
  );
}

function KeyMenu({ row }: { row: ApiKey }): React.JSX.Element {
  const openDialog = useOpenDialog();
  return (
    <ActionMenu
      label={`Actions for ${row.name}`}
      items={[
        {
          label: 'Rotate key',
          onSelect: () => openDialog((close) => <RotateKeyDialog apiKey={row} onClose={close} />),
          disabled: row.rotated_to !== null,
        },
        {
          label: 'Revoke key',
          onSelect: () => openDialog((close) => <RevokeKeyDialog apiKey={row} onClose={close} />),
          danger: true,
        },
      ]}
    />
  );
}
