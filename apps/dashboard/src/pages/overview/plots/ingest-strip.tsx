import { useQuery } from '@tanstack/react-query';
import { SimpleTable } from '../../../components/simple-table.tsx';
import { Ago } from '../../../components/time.tsx';
import { formatDay } from '../../../lib/format-time.ts';
import { plural } from '../../../lib/text.ts';
import { type Outputs, useTRPC } from '../../../lib/trpc.ts';
import { FreshnessMark } from '../freshness-mark.tsx';
import { useStreamName } from '../use-stream-name.ts';
import { type DayState, type Strip, stripsOf } from './ingest-strip.view.ts';
import { Figures, Legend, NoPlot, PlotPanel } from './plot-panel.tsx';

type Freshness = Outputs['financials']['freshness'];
type Entry = Freshness['streams'][number]['balance'];

const HISTORY_DAYS = 90;
const STRIP_DAYS = 30;
const MAX_DRAWN = 20;

const cells: Record<DayState, string> = {
  received: 'bg-series-1',
  carried: 'bg-accent-soft',
  late: 'bg-warn-soft text-warn',
  stale: 'bg-bad-soft text-bad',
  none: 'border bg-surface',
};

export function IngestStrip({ companyId }: { companyId: string }): React.JSX.Element {
  const trpc = useTRPC();
  const nameOf = useStreamName(companyId);
  const history = useQuery(trpc.cash.history.queryOptions({ company_id: companyId, days: HISTORY_DAYS }));
  const freshness = useQuery(trpc.financials.freshness.queryOptions({ company_id: companyId }));
  return (
    <PlotPanel title="Data freshness" query={history} className="lg:col-span-2">
      {(data) => {
        const strips = stripsOf(data, STRIP_DAYS);
        return (
          <>
            {strips.length === 0 ? (
              <NoPlot>No balances received yet.</NoPlot>
            ) : (
              <Strips strips={strips} nameOf={nameOf} />
            )}
            {freshness.data && <Cadence freshness={freshness.data} nameOf={nameOf} />}
          </>
        );
      }}
    </PlotPanel>
  );
}

function dayText(state: DayState, age: number): string {
  if (state === 'none') return 'no balance yet';
  return state === 'received' ? 'balance received' : `no new balance for ${plural(age, 'day')}`;
}

interface Named {
  nameOf: (connectionId: string | null) => string;
}

function Strips({ strips, nameOf }: Named & { strips: readonly Strip[] }): React.JSX.Element {
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
              aria-label={`${nameOf(connectionId)}: a balance of the day on ${received} of ${days.length} days; at most ${longestGap} days without`}
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
        <p className="mt-2 text-xs text-muted">{strips.length - MAX_DRAWN} more connections are listed in the table.</p>
      )}
      <Figures
        label={`Balances received in the last ${STRIP_DAYS} days`}
        rows={strips}
        keyOf={({ connectionId }) => connectionId ?? ''}
        columns={[
          { id: 'connection', title: 'Connection', cell: ({ connectionId }) => nameOf(connectionId) },
          {
            id: 'received',
            title: 'Days with a balance',
            align: 'end',
            cell: ({ received, days }) => `${received} of ${days.length}`,
          },
          { id: 'gap', title: 'Longest gap (days)', align: 'end', cell: ({ longestGap }) => longestGap },
          {
            id: 'without',
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

interface CadenceRow {
  id: string;
  name: string;
  kind: string;
  expected: string;
  entry: Entry;
}

const expected = {
  balance: 'Hourly, for yesterday or today',
  transactions: 'Every 15 minutes in business hours, otherwise every 12 hours',
  statement: 'Daily',
} as const;

const statementNames = { income: 'Income', balance: 'Balance sheet', cashflow: 'Cash flow' } as const;

function cadenceRows({ streams, statements }: Freshness, nameOf: Named['nameOf']): CadenceRow[] {
  return [
    ...streams.flatMap(({ connection_id, balance, transactions }) => [
      {
        id: `${connection_id}/b`,
        name: nameOf(connection_id),
        kind: 'Balance',
        expected: expected.balance,
        entry: balance,
      },
      {
        id: `${connection_id}/t`,
        name: nameOf(connection_id),
        kind: 'Transactions',
        expected: expected.transactions,
        entry: transactions,
      },
    ]),
    ...statements.map(({ statement_type, ...entry }) => ({
      id: statement_type,
      name: 'Books',
      kind: statementNames[statement_type],
      expected: expected.statement,
      entry,
    })),
  ];
}

function Cadence({ freshness, nameOf }: Named & { freshness: Freshness }): React.JSX.Element {
  return (
    <div className="-mx-5 mt-4 max-h-96 overflow-y-auto border-t pt-2">
      <SimpleTable
        label="Data freshness by connection and type"
        rows={cadenceRows(freshness, nameOf)}
        keyOf={({ id }) => id}
        empty={null}
        columns={[
          { id: 'name', title: 'From', cell: ({ name }) => name },
          { id: 'kind', title: 'Data', cell: ({ kind }) => kind },
          {
            id: 'expected',
            title: 'Expected',
            wide: true,
            cell: (row) => <span className="text-muted">{row.expected}</span>,
          },
          {
            id: 'last',
            title: 'Last received',
            cell: ({ entry }) => (entry.last_received_at === null ? '–' : <Ago at={entry.last_received_at} />),
          },
          {
            id: 'missed',
            title: 'Missed intervals',
            align: 'end',
            wide: true,
            cell: ({ entry }) => entry.missed_intervals ?? '–',
          },
          { id: 'grade', title: 'State', cell: ({ entry }) => <FreshnessMark grade={entry.grade} /> },
        ]}
      />
    </div>
  );
}
