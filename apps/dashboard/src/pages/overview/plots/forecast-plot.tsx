import { type Forecast, forecastRows } from '../what-if/what-if.view.ts';
import { Chart } from './chart.tsx';
import { Line } from './marks.tsx';
import { Legend, moneyFormat, PlotTable } from './plot.tsx';
import { centreOf, scaleOf } from './scale.view.ts';

const BEFORE = 'var(--color-series-2)';
const AFTER = 'var(--color-series-1)';

/** The cash at the end of each month, without and with the changes. */
export function ForecastPlot({ before, after }: { before: Forecast; after: Forecast }): React.JSX.Element | null {
  const rows = forecastRows(before, after);
  const { currency } = after;
  if (rows.length === 0 || currency === null) return null;
  const out = rows.findIndex(({ month }) => after.cash_out_date?.startsWith(month) === true);
  const [was, is] = [rows.map((row) => row.before), rows.map((row) => row.after)];
  const scale = scaleOf([...was, ...is]);
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
        <Line scale={scale} values={was} colour={BEFORE} isDashed />
        <Line scale={scale} values={is} colour={AFTER} />
        {out !== -1 && <CashOut centre={centreOf(out, rows.length)} />}
      </Chart>
      <PlotTable label={`Cash at the end of each month, in ${currency}`} first="Month" rows={rows} />
    </div>
  );
}

/** The text is at the side of the line that has more room. */
function CashOut({ centre }: { centre: number }): React.JSX.Element {
  const isLeft = centre > 50;
  return (
    <>
      <line x1={`${centre}%`} x2={`${centre}%`} y2="100%" className="stroke-bad" />
      <text x={`${centre}%`} dx={isLeft ? -8 : 8} dy="1em" textAnchor={isLeft ? 'end' : 'start'} className="fill-bad">
        Cash runs out
      </text>
    </>
  );
}
