import { formatDay } from '../../../lib/format-time.ts';
import { type Forecast, forecastLines } from '../what-if/what-if.view.ts';
import { Chart } from './chart.tsx';
import { Line } from './marks.tsx';
import { Legend, moneyFormat, PlotTable } from './plot.tsx';
import { crossingOf, scaleOf } from './scale.view.ts';

const BEFORE = 'var(--color-series-2)';
const AFTER = 'var(--color-series-1)';

/** The cash at the end of each month, without and with the changes, until it has run out. */
export function ForecastPlot({ before, after }: { before: Forecast; after: Forecast }): React.JSX.Element | null {
  const { rows, ...lines } = forecastLines(before, after);
  const { currency, cash_out_date } = after;
  if (rows.length === 0 || currency === null) return null;
  const out = crossingOf(lines.after);
  const scale = scaleOf([...lines.before, ...lines.after].filter((value) => value !== null));
  return (
    <div>
      <Legend
        entries={[
          ['Without changes', BEFORE],
          ['With changes', AFTER],
        ]}
      />
      <Chart
        label={`Cash at the end of each of ${rows.length} months.`}
        rows={rows}
        scale={scale}
        format={moneyFormat(currency)}
      >
        <Line scale={scale} values={lines.before} colour={BEFORE} isDashed />
        <Line scale={scale} values={lines.after} colour={AFTER} />
        {out !== undefined && cash_out_date !== null && <CashOut at={out} day={cash_out_date} />}
      </Chart>
      <PlotTable label={`Cash at the end of each month, in ${currency}`} first="Month" rows={rows} />
    </div>
  );
}

/** The text is at the side of the line that has more room. */
function CashOut({ at, day }: { at: number; day: string }): React.JSX.Element {
  const isLeft = at > 50;
  return (
    <>
      <line x1={`${at}%`} x2={`${at}%`} y2="100%" className="stroke-bad" />
      <text x={`${at}%`} dx={isLeft ? -8 : 8} dy="1em" textAnchor={isLeft ? 'end' : 'start'} className="fill-bad">
        Cash out {formatDay(day)}
      </text>
    </>
  );
}
