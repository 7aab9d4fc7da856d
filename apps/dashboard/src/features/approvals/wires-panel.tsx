import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { actorName } from '../../data/actor-name.ts';
import { asFilter } from '../../data/as-filter.ts';
import { useKeysetRows } from '../../data/keyset-rows.ts';
import { useTRPC } from '../../data/trpc.ts';
import { usePermission } from '../../session/use-session.ts';
import { useCompany } from '../../shell/company-context.ts';
import { StatusBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Options, SelectField } from '../../ui/field.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Money } from '../../ui/money.tsx';
import { Panel } from '../../ui/page.tsx';
import { RowButton } from '../../ui/row-button.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Ago } from '../../ui/time.tsx';
import { opening, replacing, type Step, useClosePanel } from '../../ui/use-close-panel.ts';
import type { Wire } from './approval.view.ts';
import { RecordWireDialog } from './record-wire-dialog.tsx';
import { TimeLeft } from './time-left.tsx';
import { WireDialog } from './wire-dialog.tsx';

type Kind = 'approvals' | 'wires';

const ALL = 'all';
const texts = {
  approvals: {
    title: 'Wire approvals',
    empty: 'No wires waiting for approval',
    hint: 'Wires at or above the company’s threshold, or in a currency other than its base currency, appear here.',
    usual: 'pending',
  },
  wires: {
    title: 'All wires',
    empty: 'No wires yet',
    hint: 'A wire records a request and its approvals. No money moves.',
    usual: ALL,
  },
} as const;

const columns = (onOpen: (id: string) => void): Column<Wire>[] => [
  {
    id: 'beneficiary',
    title: 'Beneficiary',
    grow: 2.4,
    cell: ({ id, beneficiary }) => <RowButton onClick={() => onOpen(id)}>{beneficiary.name}</RowButton>,
  },
  {
    id: 'amount',
    title: 'Amount',
    grow: 2,
    align: 'end',
    cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} />,
  },
  { id: 'status', title: 'Status', grow: 1.8, whole: true, cell: ({ status }) => <StatusBadge status={status} /> },
  { id: 'memo', title: 'Memo', grow: 2, wide: true, cell: ({ memo }) => memo ?? '–' },
  {
    id: 'by',
    title: 'Requested by',
    grow: 1.6,
    wide: true,
    cell: ({ requested_by }) => actorName(requested_by),
  },
  {
    id: 'at',
    title: 'Requested',
    grow: 1.8,
    wide: true,
    whole: true,
    cell: ({ created_at }) => <Ago at={created_at} />,
  },
  { id: 'left', title: 'Time left', grow: 1.6, wide: true, whole: true, cell: (wire) => <TimeLeft approval={wire} /> },
];

/** The company's wires: those that wait for approval first of all, or every one. */
export function WiresPanel({ kind }: { kind: Kind }): React.JSX.Element {
  const trpc = useTRPC();
  const may = usePermission();
  const company = useCompany();
  const navigate = useNavigate({ from: '/approvals' });
  const { status, open } = useSearch({ from: '/shell/approvals' });
  const [recording, setRecording] = useState(false);
  const { title, empty, hint, usual } = texts[kind];
  const shown = status ?? usual;
  const put = (change: Partial<Record<'status' | 'open', string | undefined>>, step: Step = replacing): void =>
    void navigate({ search: (search) => ({ ...search, ...change }), ...step });
  const close = useClosePanel(() => put({ open: undefined }));
  const filters = { company_id: company.id, status: asFilter<Wire['status']>(shown === ALL ? undefined : shown) };
  const rows = useKeysetRows((page) => trpc.bank.approvals.list.queryOptions({ ...filters, ...page }));
  const isOpen = company.status !== 'dissolved';
  return (
    <>
      <FilterBar
        label={`Filter ${title.toLowerCase()}`}
        isSet={status !== undefined}
        onClear={() => put({ status: undefined })}
      >
        <SelectField
          label="Status"
          value={shown}
          onChange={({ target }) => put({ status: target.value === usual ? undefined : target.value })}
        >
          <option value={ALL}>Any</option>
          <Options values={['pending', 'approved', 'rejected', 'expired', 'cancelled']} />
        </SelectField>
      </FilterBar>
      <Panel
        title={title}
        flush
        actions={
          may('bank.wires.create') &&
          isOpen && (
            <Button size="small" variant={kind === 'wires' ? 'primary' : 'plain'} onClick={() => setRecording(true)}>
              Record wire
            </Button>
          )
        }
      >
        <DataTable
          label={title}
          rows={rows}
          columns={columns((id) => put({ open: id }, opening))}
          keyOf={({ id }) => id}
          empty={
            status === undefined ? (
              <EmptyState title={empty}>{hint}</EmptyState>
            ) : (
              <EmptyState title="No wires match the filters" />
            )
          }
        />
      </Panel>
      {open !== undefined && <WireDialog id={open} onClose={close} />}
      {recording && (
        <RecordWireDialog onClose={() => setRecording(false)} onDone={({ id }) => put({ status: ALL, open: id })} />
      )}
    </>
  );
}
