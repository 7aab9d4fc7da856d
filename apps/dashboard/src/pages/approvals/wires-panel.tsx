import { StatusBadge } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Options, SelectField } from '../../components/field.tsx';
import { Money } from '../../components/money.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { Ago } from '../../components/time.tsx';
import { actorName } from '../../lib/text.ts';
import { OperationButton } from '../../operation/operation-dialog.tsx';
import { optionsOf } from '../../operation/options.ts';
import { asFilter, OpenButton, ResourceList, useListSearch } from '../../operation/resource-list.tsx';
import type { Wire } from './approval.view.ts';
import { RecordWireDialog } from './record-wire-dialog.tsx';
import { TimeLeft } from './time-left.tsx';
import { WireDialog } from './wire-dialog.tsx';

type Kind = 'approvals' | 'wires';

const ALL = 'all';
const texts = {
  approvals: {
    title: 'Wire approvals',
    noun: 'wire approvals',
    empty: 'No wires waiting for approval',
    hint: 'Wires at or above the company’s threshold, or in a currency other than its base currency, appear here.',
    usual: 'pending',
  },
  wires: {
    title: 'All wires',
    noun: 'wires',
    empty: 'No wires yet',
    hint: 'A wire records a request and its approvals. No money moves.',
    usual: ALL,
  },
} as const;

const columns: readonly Column<Wire>[] = [
  {
    title: 'Beneficiary',
    grow: 2.4,
    cell: ({ id, beneficiary }) => <OpenButton id={id}>{beneficiary.name}</OpenButton>,
  },
  {
    title: 'Amount',
    grow: 2,
    align: 'end',
    cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} />,
  },
  { title: 'Status', grow: 1.8, nowrap: true, cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Memo', grow: 2, wide: true, cell: ({ memo }) => memo ?? '–' },
  { title: 'Requested by', grow: 1.6, wide: true, cell: ({ requested_by }) => actorName(requested_by) },
  { title: 'Requested', grow: 1.8, wide: true, nowrap: true, cell: ({ created_at }) => <Ago at={created_at} /> },
  { title: 'Time left', grow: 1.6, wide: true, nowrap: true, cell: (wire) => <TimeLeft approval={wire} /> },
];

export function WiresPanel({ kind }: { kind: Kind }): React.JSX.Element {
  const company = useCompany();
  const { setSearch } = useListSearch();
  const { title, noun, empty, hint, usual } = texts[kind];
  return (
    <ResourceList
      list="bank.approvals.list"
      title={title}
      noun={noun}
      fixed={{ company_id: company.id }}
      filters={{ status: { slot: (field) => <StatusFilter usual={usual} {...field} /> } }}
      toQuery={({ status = usual }) => (status === ALL ? {} : { status: asFilter<Wire['status']>(status) })}
      columns={columns}
      actions={
        <OperationButton
          size="small"
          variant={kind === 'wires' ? 'primary' : 'plain'}
          operation="bank.wires.create"
          label="Record wire"
          needsCompany
        >
          {(close) => <RecordWireDialog onClose={close} onDone={({ id }) => setSearch({ status: ALL, open: id })} />}
        </OperationButton>
      }
      empty={{ title: empty, text: hint }}
      detail={(id, close) => <WireDialog id={id} onClose={close} />}
    />
  );
}

interface StatusFilterProps {
  usual: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

function StatusFilter({ usual, value, onChange }: StatusFilterProps): React.JSX.Element {
  return (
    <SelectField
      label="Status"
      value={value ?? usual}
      onChange={({ target }) => onChange(target.value === usual ? undefined : target.value)}
    >
      <option value={ALL}>Any</option>
      <Options values={optionsOf('bank.approvals.list', 'status')} />
    </SelectField>
  );
}
