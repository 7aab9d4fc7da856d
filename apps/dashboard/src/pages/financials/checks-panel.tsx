import { formatMoney } from '@finhook/contracts/currency';
import { useQuery } from '@tanstack/react-query';
import { Badge, type Tone } from '../../components/badge.tsx';
import { ExactAmount } from '../../components/money.tsx';
import { Panel } from '../../components/page.tsx';
import { SimpleTable } from '../../components/simple-table.tsx';
import { EmptyState, Loaded } from '../../components/states.tsx';
import type { Column } from '../../components/table-head.tsx';
import { type Cents, exactOf } from '../../lib/exact-cents.ts';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
import type { Snapshot } from './statement.view.ts';

type Check = Outputs['financials']['snapshots']['checks']['checks'][number];

function useChecks({ company_id, id, revision }: Snapshot) {
  const trpc = useTRPC();
  return useQuery(
    trpc.financials.snapshots.checks.queryOptions(
      { company_id, snapshot_id: id },
      // Checks of another revision stay hidden while this revision's load.
      { select: (checked) => (checked.revision === revision ? checked.checks : undefined) },
    ),
  );
}

const results: Readonly<Record<Check['status'], readonly [word: string, tone: Tone]>> = {
  pass: ['Passed', 'good'],
  warn: ['Failed', 'warn'],
  skip: ['Skipped', 'neutral'],
};

function columnsOf(currency: string): readonly Column<Check>[] {
  const amount = (title: string, pick: (check: Check) => [cents: Cents, digits: string | undefined]) => ({
    title,
    align: 'end' as const,
    cell: (check: Check) => {
      const [cents, digits] = pick(check);
      return <ExactAmount cents={cents} digits={digits} currency={currency} />;
    },
  });
  return [
    { title: 'Check', cell: (check) => <CheckText check={check} /> },
    { title: 'Result', cell: ({ status }) => <Badge tone={results[status][1]}>{results[status][0]}</Badge> },
    amount('Expected', ({ expected_cents, expected_string }) => [expected_cents, expected_string]),
    amount('Actual', ({ actual_cents, actual_string }) => [actual_cents, actual_string]),
    amount('Difference', ({ difference_cents, difference_string }) => [difference_cents, difference_string]),
  ];
}

export function CheckText({ check: { id, name, message } }: { check: Check }): React.JSX.Element {
  return (
    <div className="min-w-44">
      <p>
        <span className="font-medium">{name}</span> <span className="text-xs text-muted">{id}</span>
      </p>
      <p className="text-xs text-muted">{message}</p>
    </div>
  );
}

/** A failed check never blocks a statement, because books are often mid-period. */
export function ChecksPanel({ snapshot }: { snapshot: Snapshot }): React.JSX.Element {
  const query = useChecks(snapshot);
  const failed = query.data?.filter(({ status }) => status === 'warn').length ?? 0;
  return (
    <Panel
      title="Checks"
      className="xl:col-span-2"
      flush
      actions={
        query.data && (
          <Badge tone={failed > 0 ? 'warn' : 'good'}>{failed > 0 ? `${failed} failed` : 'No failed checks'}</Badge>
        )
      }
    >
      <Loaded query={query} label="Loading the checks" flush>
        {(checks) => (
          <SimpleTable
            label="Checks of this statement"
            rows={checks ?? []}
            columns={columnsOf(snapshot.currency)}
            keyOf={({ id }) => id}
            empty={<EmptyState title="No checks" />}
          />
        )}
      </Loaded>
    </Panel>
  );
}

export function EquationBadge({ snapshot }: { snapshot: Snapshot }): React.JSX.Element | null {
  const equation = useChecks(snapshot).data?.find(({ id }) => id === 'K6');
  if (!equation) return null;
  const off = exactOf(equation.difference_cents, equation.difference_string);
  const by = off === null ? '' : ` by ${formatMoney(off, snapshot.currency)}`;
  const texts = {
    pass: 'Assets = liabilities + equity',
    warn: `Out of balance${by}`,
    skip: 'Not enough figures to check the balance',
  };
  return (
    <p>
      <Badge tone={results[equation.status][1]}>{texts[equation.status]}</Badge>
    </p>
  );
}
