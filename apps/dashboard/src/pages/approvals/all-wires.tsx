import { Link } from '@tanstack/react-router';
import { StatusBadge, sentenceCase } from '../../components/badge.tsx';
import { Money } from '../../components/money.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { rowLink } from '../../components/table-cells.tsx';
import type { Column } from '../../components/table-head.tsx';
import { Ago } from '../../components/time.tsx';
import { actorName, visibleText } from '../../lib/text.ts';
import { optionsOf } from '../../operation/options.ts';
import { ResourceList } from '../../operation/resource-list.tsx';
import { statusOf, type Wire } from './approval.view.ts';

const columns: readonly Column<Wire>[] = [
  {
    title: 'Beneficiary',
    grow: 2.4,
    cell: ({ id, beneficiary }) => (
      <Link to="/approvals/$approvalId" params={{ approvalId: id }} className={`${rowLink} hover:underline`}>
        {visibleText(beneficiary.name)}
      </Link>
    ),
  },
  {
    title: 'Amount',
    grow: 2,
    align: 'end',
    cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} />,
  },
  { title: 'Status', grow: 1.8, nowrap: true, cell: (wire) => <StatusBadge status={statusOf(wire)} /> },
  { title: 'Memo', grow: 2, wide: true, cell: ({ memo }) => memo ?? '–' },
  { title: 'Requested by', grow: 1.6, wide: true, cell: ({ requested_by }) => actorName(requested_by) },
  { title: 'Requested', grow: 1.8, wide: true, nowrap: true, cell: ({ created_at }) => <Ago at={created_at} /> },
];

/** Every wire, also those that are decided or needed no approval. */
export function AllWires(): React.JSX.Element {
  const company = useCompany();
  const choices = optionsOf('bank.approvals.list', 'status').map(
    (status) => [status, sentenceCase(statusOf({ status }))] as const,
  );
  return (
    <ResourceList
      list="bank.approvals.list"
      noun="wires"
      fixed={{ company_id: company.id }}
      filters={{ status: { choices } }}
      columns={columns}
      empty={{ title: 'No wires yet', text: 'A wire records a request and its approvals. No money moves.' }}
    />
  );
}
