import { useQuery } from '@tanstack/react-query';
import { Bar, BarChart, Cell, LabelList, ReferenceLine, XAxis } from 'recharts';
import { formatDay } from '../../../lib/format-time.ts';
import { useTRPC } from '../../../lib/trpc.ts';
import {
  axisProps,
  ChartFrame,
  chartProps,
  Legend,
  moneyFormat,
  NoPlot,
  PlotPanel,
  PlotTable,
  ValueAxis,
} from './plot.tsx';
import { cashSteps, incomeSteps, type Snapshot, stepRows } from './statement-steps.view.ts';

const statements = {
  income: {
    title: 'Income waterfall',
    steps: incomeSteps,
    missing: 'No income statements in this currency yet.',
    unclear: 'The latest income statement has no revenue, cost or income.',
  },
  cashflow: {
    title: 'Cash flow bridge',
    steps: cashSteps,
    missing: 'No cash flow statements in this currency yet.',
    unclear: 'The latest cash flow statement has no opening or closing cash.',
  },
} as const;

const colours = {
  total: 'var(--color-series-3)',
  rise: 'var(--color-series-1)',
  fall: 'var(--color-series-2)',
} as const;

const MOST_LABELS_ON_PHONE = 6;

interface StatementPlotProps {
  companyId: string;
  currency: string;
  type: keyof typeof statements;
}

export function StatementPlot({ companyId, currency, type }: StatementPlotProps): React.JSX.Element {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.financials.snapshots.list.queryOptions({ company_id: companyId, statement_type: type, currency, limit: 1 }),
  );
  return (
    <PlotPanel title={statements[type].title} query={query}>
      {({ data: [snapshot] }) =>
        snapshot ? <Steps snapshot={snapshot} type={type} /> : <NoPlot>{statements[type].missing}</NoPlot>
      }
    </PlotPanel>
  );
}

function lowToHigh({ span }: ReturnType<typeof stepRows>[number]): [low: number, high: number] {
  return [Math.min(...span), Math.max(...span)];
}

function Steps({ snapshot, type }: { snapshot: Snapshot; type: keyof typeof statements }): React.JSX.Element {
  const { currency } = snapshot;
  const { title, steps, unclear } = statements[type];
  const rows = stepRows(steps(snapshot), currency);
  const [first, last] = [rows[0], rows.at(-1)];
  if (!first || !last) return <NoPlot>{unclear}</NoPlot>;
  const period = `${formatDay(snapshot.period_start)} to ${formatDay(snapshot.period_end)}`;
  return (
    <>
      <p className="mb-1 text-xs text-muted">
        {period}
        {snapshot.revision > 1 && `, revision ${snapshot.revision}`}
      </p>
      <Legend
        entries={[
          ['Total', colours.total],
          ['Increase', colours.rise],
          ['Decrease', colours.fall],
        ]}
      />
      <ChartFrame label={`${title} of ${period}: ${first.label} ${first.figure}, ${last.label} ${last.figure}`}>
        <BarChart {...chartProps} margin={{ ...chartProps.margin, top: 18 }} data={rows}>
          <ValueAxis format={moneyFormat(currency)} domain={['auto', 'auto']} />
          <XAxis dataKey="label" interval={0} angle={-35} textAnchor="end" height={88} {...axisProps} />
          <ReferenceLine y={0} ifOverflow="extendDomain" stroke="var(--color-line-strong)" />
          <Bar dataKey={lowToHigh} maxBarSize={56} isAnimationActive={false}>
            {rows.map(({ label, kind }) => (
              <Cell key={label} fill={colours[kind]} />
            ))}
            <LabelList
              dataKey="short"
              position="top"
              fontSize={10}
              fill="var(--color-text)"
              className={rows.length > MOST_LABELS_ON_PHONE ? 'max-sm:hidden' : ''}
            />
          </Bar>
        </BarChart>
      </ChartFrame>
      <PlotTable label={`${title}, ${currency}`} first="Step" rows={rows} />
    </>
  );
}
