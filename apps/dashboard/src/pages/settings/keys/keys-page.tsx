import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Badge, StatusBadge } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { type Column, DataTable, rowLink } from '../../../components/data-table.tsx';
import { FilterBar, FilterChoice, FilterText } from '../../../components/filter-bar.tsx';
import { ExportLinks } from '../../../components/links.tsx';
import { ActionMenu } from '../../../components/menu.tsx';
import { Page, Panel } from '../../../components/page.tsx';
import { EmptyState } from '../../../components/states.tsx';
import { TWO_LINES, TwoLines } from '../../../components/table-cells.tsx';
import { Ago, Instant } from '../../../components/time.tsx';
import { useKeysetRows } from '../../../lib/keyset-rows.ts';
import { type Inputs, useTRPC } from '../../../lib/trpc.ts';
import { usePermission, useSession } from '../../../lib/use-session.ts';
import { opening, replacing, type Step, useClosePanel } from '../../../operation/resource-list.tsx';
import { KeyDetails, LastUse, Masked } from './key-details.tsx';
import { type ApiKey, canRotate, narrowingWords, scopes } from './keys.view.ts';
import { MintKeyDialog } from './mint-key-dialog.tsx';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';
import { RotateKeyDialog } from './rotate-key-dialog.tsx';

interface Search {
  status?: string;
  scope?: string;
  q?: string;
  open?: string;
}
type ListInput = Exclude<Inputs['apiKeys']['list'], void | undefined>;
type Asks = { what: 'mint' } | { what: 'rotate' | 'revoke'; apiKey: ApiKey };

function asListInput(filters: Search): ListInput {
  return filters as ListInput;
}

export function KeysPage(): React.JSX.Element {
  const may = usePermission();
  const { open, status, scope, q }: Search = useSearch({ from: '/shell/settings/keys' });
  const navigate = useNavigate({ from: '/settings/keys' });
  const [asks, setAsks] = useState<Asks>();
  const close = (): void => setAsks(undefined);
  const change = (next: { [K in keyof Search]?: string | undefined }, step: Step = replacing): void => {
    void navigate({
      search: ({ open: _o, status: _s, scope: _c, q: _q, ...rest }) => {
        const entries = Object.entries({ open, status, scope, q, ...next });
        return { ...rest, ...Object.fromEntries(entries.filter((entry) => entry[1] !== undefined)) };
      },
      ...step,
    });
  };
  const closeDetails = useClosePanel(() => change({ open: undefined }));
  const filters = { status, scope, q };
  return (
    <Page
      title="API keys"
      intro="Keys are shown once and stored as hashes. Use a separate key with minimal permissions for each program. Keys created here count as the same person: to add a person who can approve your requests, an operator runs account:key."
      actions={
        <>
          <ExportLinks path="/api-keys" filters={filters} what="the API keys" />
          {may('apiKeys.create') && (
            <Button variant="primary" onClick={() => setAsks({ what: 'mint' })}>
              Create key
            </Button>
          )}
        </>
      }
    >
      <UnusedKeys onShow={(id) => change({ open: id }, opening)} />
      <KeyFilters search={filters} onChange={(next) => change(next)} />
      <KeyTable search={filters} onAsk={setAsks} />
      {open !== undefined && <KeyDetails id={open} onClose={closeDetails} />}
      {asks?.what === 'mint' && <MintKeyDialog onClose={close} />}
      {asks?.what === 'rotate' && <RotateKeyDialog apiKey={asks.apiKey} onClose={close} />}
      {asks?.what === 'revoke' && <RevokeKeyDialog apiKey={asks.apiKey} onClose={close} />}
    </Page>
  );
}

function UnusedKeys({ onShow }: { onShow: (id: string) => void }): React.ReactNode {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.apiKeys.list.queryOptions({ status: 'active', limit: 200 }));
  const unused = data?.data.filter((key) => key.unused) ?? [];
  if (unused.length === 0) return null;
  return (
    <section aria-label="Unused keys" className="rounded-md border border-warn bg-warn-soft p-3 text-sm text-warn">
      <p>
        {unused.length === 1 ? 'One key was' : `${unused.length} keys were`} not used for 45 days. Revoke unused keys.
      </p>
      <ul className="mt-1 flex flex-wrap gap-x-4">
        {unused.map(({ id, name }) => (
          <li key={id}>
            <button type="button" className="underline" onClick={() => onShow(id)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

type Filters = { [K in 'status' | 'scope' | 'q']: string | undefined };

function KeyFilters({ search, onChange }: { search: Filters; onChange: (next: Partial<Filters>) => void }) {
  const { status, scope, q } = search;
  return (
    <FilterBar
      label="Filter the keys"
      isSet={[status, scope, q].some((value) => value !== undefined)}
      onClear={() => onChange({ status: undefined, scope: undefined, q: undefined })}
    >
      <FilterText label="Name" value={q} onChange={(text) => onChange({ q: text })} className="w-52" />
      <FilterChoice
        label="Status"
        value={status}
        onChange={(next) => onChange({ status: next })}
        choices={[
          ['active', 'Active'],
          ['expired', 'Expired'],
          ['revoked', 'Revoked'],
        ]}
        none="All"
        className="w-36"
      />
      <FilterChoice
        label="Scope"
        value={scope}
        onChange={(next) => onChange({ scope: next })}
        choices={scopes.map(([id, label]) => [id, label] as const)}
        none="All"
        className="w-36"
      />
    </FilterBar>
  );
}

function KeyTable({ search, onAsk }: { search: Filters; onAsk: (asks: Asks) => void }): React.JSX.Element {
  const trpc = useTRPC();
  const may = usePermission();
  const { api_key: own } = useSession();
  const { status, scope, q } = search;
  const filters: Search = { ...(status && { status }), ...(scope && { scope }), ...(q && { q }) };
  const rows = useKeysetRows((page) => trpc.apiKeys.list.queryOptions({ ...asListInput(filters), ...page }));
  const columns = columnsOf(own.id, may('apiKeys.create') ? onAsk : undefined);
  const isNarrowed = Object.keys(filters).length > 0;
  return (
    <Panel title="Keys" flush>
      <DataTable
        label="API keys"
        rows={rows}
        columns={columns}
        keyOf={({ id }) => id}
        rowHeight={TWO_LINES}
        empty={
          isNarrowed ? (
            <EmptyState title="No keys match the filters" />
          ) : (
            <EmptyState title="No visible keys">Restricted keys see only keys with the same or less access.</EmptyState>
          )
        }
      />
    </Panel>
  );
}

function columnsOf(ownId: string, onAsk: ((asks: Asks) => void) | undefined): readonly Column<ApiKey>[] {
  return [
    { id: 'name', title: 'Name', grow: 2, cell: (row) => <NameCell row={row} isOwn={row.id === ownId} /> },
    { id: 'status', title: 'Status', grow: 1.2, whole: true, cell: (row) => <KeyStatus apiKey={row} /> },
    {
      id: 'reach',
      title: 'Scope and access',
      grow: 1.4,
      wide: true,
      cell: (row) => (
        <TwoLines top={row.scope} below={<span title={narrowingWords(row)}>{narrowingWords(row)}</span>} />
      ),
    },
    { id: 'use', title: 'Last used', grow: 1.2, wide: true, whole: true, cell: (row) => <LastUse apiKey={row} /> },
    {
      id: 'expires',
      title: 'Expires',
      grow: 1.2,
      wide: true,
      whole: true,
      cell: ({ expires_at: at }) =>
        at === null ? (
          <span className="text-muted">Never</span>
        ) : (
          <TwoLines top={<Ago at={at} />} below={<Instant at={at} />} />
        ),
    },
    ...(onAsk
      ? [
          {
            id: 'do',
            title: 'Actions',
            align: 'end' as const,
            cell: (row: ApiKey) => <KeyMenu row={row} onAsk={onAsk} />,
          },
        ]
      : []),
  ];
}

function NameCell({ row, isOwn }: { row: ApiKey; isOwn: boolean }): React.JSX.Element {
  const name = (
    <Link
      from="/settings/keys"
      to="/settings/keys"
      search={(now) => ({ ...now, open: row.id })}
      {...opening}
      preload={false}
      title={row.name}
      aria-haspopup="dialog"
      className={rowLink}
    >
      {row.name}
    </Link>
  );
  return (
    <TwoLines
      top={name}
      below={
        <>
          <Masked apiKey={row} />
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

function KeyMenu({ row, onAsk }: { row: ApiKey; onAsk: (asks: Asks) => void }): React.ReactNode {
  if (row.status !== 'active') return null;
  return (
    <ActionMenu
      label={`Actions for ${row.name}`}
      items={[
        { label: 'Rotate key', onSelect: () => onAsk({ what: 'rotate', apiKey: row }), disabled: !canRotate(row) },
        { label: 'Revoke key', onSelect: () => onAsk({ what: 'revoke', apiKey: row }), danger: true },
      ]}
    />
  );
}
