import { useQuery } from '@tanstack/react-query';
import { SimpleTable } from '../../../components/simple-table.tsx';
import { Ago } from '../../../components/time.tsx';
import { formatDay } from '../../../lib/format-time.ts';
import { plural } from '../../../lib/text.ts';
import type { Outputs } from '../../../lib/trpc.ts';
import { statementTypes } from '../../financials/statement.view.ts';
import { useOverviewQueries, useSeriesName } from '../overview-queries.ts';
import { FreshnessMark } from '../tile.tsx';
import { type DayState, type Strip, stripsOf } from './freshness-plot.view.ts';
import { FoldedTable, Legend, NoPlot, PlotPanel } from './plot.tsx';

type Freshness = Outputs['financials']['freshness'];
type NameOf = (connectionId: string | null) => string;

const STRIP_DAYS = 30;
const MAX_DRAWN = 20;

const cells: Record<DayState, string> = {
  received: 'bg-series-1',
  carried: 'bg-accent-soft',
  late: 'bg-warn-soft text-warn',
  stale: 'bg-bad-soft text-bad',
  none: 'border bg-surface',
};

export function FreshnessPlot({ companyId }: { companyId: string }): React.JSX.Element {
  const queries = useOverviewQueries(companyId);
  const nameOf = useSeriesName(companyId);
  const freshness = useQuery(queries.freshness);
  return (
    <PlotPanel title="Data freshness" query={useQuery(queries.history)} className="lg:col-span-2">
      {(history) => (
        <>
          <Strips strips={stripsOf(history, STRIP_DAYS)} nameOf={nameOf} />
          {freshness.data && <FreshnessTable freshness={freshness.data} nameOf={nameOf} />}
        </>
      )}
    </PlotPanel>
  );
}

function dayText(state: DayState, age: number): string {
  if (state === 'none') return 'no balance yet';
  return state === 'received' ? 'balance received' : `no new balance for ${plural(age, 'day')}`;
}

function Strips({ strips, nameOf }: { strips: readonly Strip[]; nameOf: NameOf }): React.JSX.Element {
  if (strips.length === 0) return <NoPlot>No balances received yet.</NoPlot>;
  return (
    <>
      <Legend
        entries={[
          ['Balance received', <Cell key="received" state="received" />],
          ['No new balance for 1–2 days', <Cell key="carried" state="carried" />],
          ['3–6 days', <Cell key="late" state="late" />],
          ['7 days or more', <Cell key="stale" state="stale" />],
          ['No balance yet', <Cell key="none" state="none" />],
        ]}
      />
      <div className="flex flex-col gap-2">
        {strips.slice(0, MAX_DRAWN).map(({ connectionId, days, received, longestGap }) => (
          <div key={connectionId ?? ''} className="grid items-center gap-x-4 gap-y-1 sm:grid-cols-[10rem_1fr]">
            <span className="truncate text-sm">{nameOf(connectionId)}</span>
            <div
              role="img"
              aria-label={`${nameOf(connectionId)}: balance received on ${received} of ${days.length} days, longest gap ${plural(longestGap, 'day')}`}
              className="grid grid-cols-[repeat(30,minmax(0,1fr))] gap-px sm:gap-0.5"
            >
              {days.map(({ date, state, age }) => (
                <span
                  key={date}
                  title={`${formatDay(date)}: ${dayText(state, age)}`}
                  className={`flex h-7 items-center justify-center overflow-hidden rounded-xs text-[0.625rem] ${cells[state]}`}
                >
                  <span className="hidden sm:inline">{(state === 'late' || state === 'stale') && age}</span>
                </span>
              ))}
            </div>
          </div>
        ))}
      </div>
      {strips.length > MAX_DRAWN && (
        <p className="mt-2 text-xs text-muted">{strips.length - MAX_DRAWN} more connections are in the table.</p>
      )}
      <FoldedTable
        label={`Balances received in the last ${STRIP_DAYS} days`}
        rows={strips}
        keyOf={({ connectionId }) => connectionId ?? ''}
        columns={[
          { title: 'Connection', cell: ({ connectionId }) => nameOf(connectionId) },
          { title: 'Days with a balance', align: 'end', cell: ({ received, days }) => `${received} of ${days.length}` },
          { title: 'Longest gap (days)', align: 'end', cell: ({ longestGap }) => longestGap },
          {
            title: 'Days without a balance',
            cell: ({ days }) =>
              days
                .filter(({ state }) => state !== 'received')
                .map(({ date }) => formatDay(date))
                .join(', ') || 'None',
          },
        ]}
      />
    </>
  );
}

function Cell({ state }: { state: DayState }): React.JSX.Element {
  return <span aria-hidden className={`size-3 shrink-0 rounded-xs ${cells[state]}`} />;
}

interface FreshnessRow {
  name: string;
  data: string;
  expected: string;
  entry: Freshness['streams'][number]['balance'];
}

const expected = {
  balance: 'Hourly, for yesterday or today',
  transactions: 'Every 15 minutes in business hours, otherwise every 12 hours',
  statement: 'Daily',
} as const;

function rowsOf({ streams, statements }: Freshness, nameOf: NameOf): FreshnessRow[] {
  return [
    ...streams.flatMap(({ connection_id, balance, transactions }) => {
      const name = nameOf(connection_id);
      return [
        { name, data: 'Balance', expected: expected.balance, entry: balance },
        { name, data: 'Transactions', expected: expected.transactions, entry: transactions },
      ];
    }),
    ...statements.map(({ statement_type, ...entry }) => ({
      name: 'Statements',
      data: statementTypes[statement_type],
      expected: expected.statement,
      entry,
    })),
  ];
}

function FreshnessTable({ freshness, nameOf }: { freshness: Freshness; nameOf: NameOf }): React.JSX.Element {
  const rows = rowsOf(freshness, nameOf);
  return (
    <div className="-mx-5 mt-4 max-h-96 overflow-y-auto border-t pt-2">
      <SimpleTable
        label="Data freshness by connection and type"
        rows={rows}
        keyOf={(row) => `${rows.indexOf(row)}`}
        empty={null}
        columns={[
          {
            title: 'Data',
            cell: ({ name, data }) => (
              <>
                {name} <span className="block text-xs text-muted">{data}</span>
              </>
            ),
          },
          { title: 'Expected', wide: true, cell: (row) => <span className="text-muted">{row.expected}</span> },
          {
            title: 'Last received',
            cell: ({ entry }) => (entry.last_received_at === null ? '–' : <Ago at={entry.last_received_at} />),
          },
          { title: 'Missed intervals', align: 'end', wide: true, cell: ({ entry }) => entry.missed_intervals ?? '–' },
          { title: 'Status', cell: ({ entry }) => <FreshnessMark grade={entry.grade} /> },
        ]}
      />
    </div>
  );
}
