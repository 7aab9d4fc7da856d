import { formatMoney } from '@finhook/contracts/currency';
import { formatMonth } from '../../lib/format-time.ts';
import type { MonthAmount } from './trend.view.ts';

const WIDTH = 96;
const HEIGHT = 24;
const GAP = 2;
/** A month without money has a line of this height. */
const LEAST = 1;
const FULL = 10_000n;

interface SparklineProps {
  months: readonly MonthAmount[];
  currency: string;
}

/** A bar for each month. Screen readers get the smallest and the largest one. */
export function Sparkline({ months, currency }: SparklineProps): React.JSX.Element {
  const sorted = months.toSorted((a, b) => (a.amount < b.amount ? -1 : 1));
  const [least, most] = [sorted[0], sorted.at(-1)];
  if (least === undefined || most === undefined) return <span className="text-muted">–</span>;
  const step = WIDTH / months.length;
  const told = ({ month, amount }: MonthAmount): string =>
    `${formatMoney(`${amount}`, currency)} in ${formatMonth(month)}`;
  return (
    <>
      <svg
        aria-hidden
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        width={WIDTH}
        height={HEIGHT}
        className="inline-block fill-series-2"
      >
        {months.map(({ month, amount }, i) => {
          const height =
            most.amount <= 0n
              ? LEAST
              : Math.max(LEAST, (Number((amount * FULL) / most.amount) / Number(FULL)) * HEIGHT);
          return <rect key={month} x={i * step} y={HEIGHT - height} width={step - GAP} height={height} />;
        })}
      </svg>
      <span className="sr-only">
        Lowest {told(least)}, highest {told(most)}
      </span>
    </>
  );
}
