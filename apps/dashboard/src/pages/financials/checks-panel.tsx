import { useQuery } from '@tanstack/react-query';
import { Badge, type Tone } from '../../components/badge.tsx';
import type { Column } from '../../components/data-table.tsx';
import { Panel } from '../../components/page.tsx';
import { SimpleTable } from '../../components/simple-table.tsx';
import { EmptyState, ErrorState, Loading } from '../../components/states.tsx';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
import { type Snapshot, statementAmount } from './statement.view.ts';

type Checked = Outputs['financials']['snapshots']['checks'];
type Check = Checked['checks'][number];

function useChecks({ company_id, id, revision }: Snapshot) {
  const trpc = useTRPC();
  const options = trpc.financials.snapshots.checks.queryOptions({ company_id, snapshot_id: id });
  const checks = useQuery(options);
  // Checks of another revision stay hidden while this revision's load.
  return { ...checks, data: checks.data?.revision === revision ? checks.data : undefined };
}

const results: Readonly<Record<Check['status'], readonly [word: string, tone: Tone]>> = {
  pass: ['Passed', 'good'],
  warn: ['Failed', 'warn'],
  skip: ['Skipped', 'neutral'],
};

function columnsOf(currency: string): readonly Column<Check>[] {
  const amount = (cents: number | null, text: string | undefined): string => {
    const value = cents ?? text;
    return value === undefined ? '–' : statementAmount(value, currency);
  };
  const figure = (text: string): React.JSX.Element => <span className="whitespace-nowrap tabular-nums">{text}</span>;
  return [
    {
      id: 'check',
      title: 'Check',
      cell: (check) => <CheckText check={check} />,
    },
    {
      id: 'result',
      title: 'Result',
      cell: ({ status }) => <Badge tone={results[status][1]}>{results[status][0]}</Badge>,
    },
    {
      id: 'expected',
      title: 'Expected',
      align: 'end',
      cell: (row) => figure(amount(row.expected_cents, row.expected_string)),
    },
    { id: 'actual', title: 'Actual', align: 'end', cell: (row) => figure(amount(row.actual_cents, row.actual_string)) },
    {
      id: 'difference',
      title: 'Difference',
      align: 'end',
      cell: (row) => figure(amount(row.difference_cents, row.difference_string)),
    },
  ];
}

export function CheckText({ check: { id, name, message } }: { check: Check }): React.JSX.Element {
  return (
    <div className="min-w-44">
      <p>
        <span className="font-medium">{id}</span> {name}
      </p>
      <p className="text-xs text-muted">{message}</p>
    </div>
  );
}

/**
 * The checks of a statement with their results. A failed check never blocks a statement, because books are often
 * mid-period.
 */
export function ChecksPanel({ snapshot }: { snapshot: Snapshot }): React.JSX.Element {
  const { data, error, refetch } = useChecks(snapshot);
  const faults = data?.checks.filter(({ status }) => status === 'warn').length ?? 0;
  return (
    <Panel
      title="Checks"
      className="xl:col-span-2"
      flush
      actions={
        data && (
          <Badge tone={faults > 0 ? 'warn' : 'good'}>
            {faults > 0 ? `${faults} ${faults === 1 ? 'does' : 'do'} not add up` : 'none fails'}
          </Badge>
        )
      }
    >
      {!data && error && (
        <div className="px-5 py-3">
          <ErrorState error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {!data && !error && (
        <div className="px-5 py-3">
          <Loading label="Running the checks" />
        </div>
      )}
      {data && (
        <SimpleTable
          label="Checks of this statement"
          rows={data.checks}
          columns={columnsOf(snapshot.currency)}
          keyOf={({ id }) => id}
          empty={<EmptyState title="Nothing to check" />}
        />
      )}
    </Panel>
  );
}

export function EquationBadge({ snapshot }: { snapshot: Snapshot }): React.JSX.Element | null {
  const { data } = useChecks(snapshot);
  const equation = data?.checks.find(({ id }) => id === 'K6');
  if (!equation) return null;
  const off = equation.difference_cents ?? equation.difference_string;
  const [word, tone] = {
    pass: ['Assets = liabilities + equity', 'good'] as const,
    warn: [
      `Does not balance: assets are off by ${off === undefined ? '?' : statementAmount(off, snapshot.currency)}`,
      'warn',
    ] as const,
    skip: ['Not enough figures to tell whether it balances', 'neutral'] as const,
  }[equation.status];
  return (
    <p>
      <Badge tone={tone}>{word}</Badge>
    </p>
  );
}
