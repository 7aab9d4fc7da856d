import { Link } from '@tanstack/react-router';
import type { Column } from '../../components/data-table.tsx';
import { ExactAmount } from '../../components/money.tsx';
import { EmptyState } from '../../components/states.tsx';
import { formatDay } from '../../lib/format-time.ts';
import { CheckText } from '../financials/checks-panel.tsx';
import { statementTypes } from '../financials/statement.view.ts';
import type { FailedCheck } from './data-quality.view.ts';
import { FindingPanel } from './finding-panel.tsx';

const columns: readonly Column<FailedCheck>[] = [
  {
    id: 'statement',
    title: 'Statement',
    cell: ({ snapshot: { snapshot_id, statement_type, period_end } }) => (
      <Link to="/financials" search={{ snapshot: snapshot_id }} className="text-accent underline">
        {statementTypes[statement_type]}, {formatDay(period_end)}
      </Link>
    ),
  },
  { id: 'check', title: 'Check', cell: ({ check }) => <CheckText check={check} /> },
  {
    id: 'expected',
    title: 'Expected',
    align: 'end',
    wide: true,
    cell: ({ snapshot: { currency }, check }) => (
      <ExactAmount cents={check.expected_cents} digits={check.expected_string} currency={currency} />
    ),
  },
  {
    id: 'actual',
    title: 'Actual',
    align: 'end',
    wide: true,
    cell: ({ snapshot: { currency }, check }) => (
      <ExactAmount cents={check.actual_cents} digits={check.actual_string} currency={currency} />
    ),
  },
  {
    id: 'difference',
    title: 'Difference',
    align: 'end',
    cell: ({ snapshot: { currency }, check }) => (
      <ExactAmount cents={check.difference_cents} digits={check.difference_string} currency={currency} />
    ),
  },
];

export function FailedChecks({ rows }: { rows: readonly FailedCheck[] }): React.JSX.Element {
  return (
    <FindingPanel
      label="Failed checks"
      rows={rows}
      columns={columns}
      keyOf={({ snapshot, check }) => `${snapshot.snapshot_id} ${check.id}`}
      empty={<EmptyState title="No failed checks" />}
    >
      The newest statement of each type against itself, the other statements and the balances. Post a correction of the
      statement, or of what it is compared with.
    </FindingPanel>
  );
}
