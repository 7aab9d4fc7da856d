import { Line, LineChart, ReferenceLine, XAxis } from 'recharts';
import { formatMonth } from '../../../lib/format-time.ts';
import { type Forecast, forecastRows } from '../what-if/what-if.view.ts';
import { axisProps, ChartFrame, chartProps, chosenMark, Legend, moneyFormat, PlotTable, ValueAxis } from './plot.tsx';

const BEFORE = 'var(--color-series-2)';
const AFTER = 'var(--color-series-1)';

/** The cash at the end of each month, without and with the changes. */
export function ForecastPlot({ before, after }: { before: Forecast; after: Forecast }): React.JSX.Element | null {
  const rows = forecastRows(before, after);
  const { currency } = after;
  const out = rows.find(({ month }) => after.cash_out_date?.startsWith(month) === true)?.month;
  if (rows.length === 0 || currency === null) return null;
  return (
    <div>
      <Legend
        entries={[
          ['Without changes', BEFORE],
          ['With the changes', AFTER],
        ]}
      />
      <ChartFrame label={`Cash at the end of each of ${rows.length} months.`} rows={rows}>
        {(chosen) => (
          <LineChart {...chartProps} data={rows}>
            <ValueAxis format={moneyFormat(currency)} />
            <XAxis dataKey="month" tickFormatter={formatMonth} minTickGap={16} {...axisProps} />
            <ReferenceLine y={0} ifOverflow="extendDomain" stroke="var(--color-bad)" strokeDasharray="4 3" />
            <Line
              dataKey="before"
              type="linear"
              stroke={BEFORE}
              strokeWidth={2}
              strokeDasharray="5 4"
              dot={false}
              isAnimationActive={false}
            />
            <Line dataKey="after" type="linear" stroke={AFTER} strokeWidth={2} dot={false} isAnimationActive={false} />
            {out !== undefined && (
              <ReferenceLine
                x={out}
                stroke="var(--color-bad)"
                label={{ value: 'Cash runs out', position: 'insideTopRight', fill: 'var(--color-bad)' }}
              />
            )}
            {chosen && <ReferenceLine x={chosen.month} {...chosenMark} />}
          </LineChart>
        )}
      </ChartFrame>
      <PlotTable label={`Cash at the end of each month, in ${currency}`} first="Month" rows={rows} />
    </div>
  );
}
