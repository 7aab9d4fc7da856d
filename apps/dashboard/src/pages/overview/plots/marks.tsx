import { areaPath, centreOf, linePath, runsOf, type Scale } from './scale.view.ts';

interface LineProps {
  scale: Scale;
  /** A point each, in the order of the rows; null where there is none. */
  values: readonly (number | null)[];
  colour: string;
  isDashed?: boolean;
  /** Fills the area between the line and zero. */
  isFilled?: boolean;
  dots?: 'full' | 'ring';
}

export function Line(props: LineProps): React.JSX.Element {
  const { scale, values, colour, isDashed = false, isFilled = false, dots } = props;
  const runs = runsOf(values, scale);
  return (
    <>
      {/* Stretched to the chart's size, which no script has to know. */}
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="overflow-visible">
        {isFilled && <path d={areaPath(runs, scale)} fill={colour} fillOpacity={0.15} />}
        <path
          d={linePath(runs)}
          fill="none"
          stroke={colour}
          strokeWidth={2}
          strokeDasharray={isDashed ? '5 4' : undefined}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      {dots !== undefined &&
        runs
          .flat()
          .map(([x, y]) => (
            <circle
              key={x}
              cx={`${x}%`}
              cy={`${y}%`}
              r={dots === 'ring' ? 3.5 : 2.5}
              fill={dots === 'ring' ? 'var(--color-surface)' : colour}
              stroke={dots === 'ring' ? colour : 'none'}
              strokeWidth={1.5}
            />
          ))}
    </>
  );
}

interface BarsProps {
  scale: Scale;
  values: readonly number[];
  /** The side of a column's middle. */
  side: 'left' | 'right';
  fillOf: (index: number) => string;
  onOpen: (index: number) => void;
}

/** Share of a column that a bar takes, and its greatest width. */
const BAR_PERCENT = 36;
const BAR_PX = 22;

export function Bars({ scale, values, side, fillOf, onOpen }: BarsProps): React.JSX.Element {
  const width = `min(${BAR_PX}px, ${BAR_PERCENT / values.length}%)`;
  const zero = scale.percentOf(0);
  return (
    <g className="cursor-pointer">
      {values.map((value, i) => {
        const end = scale.percentOf(value);
        const centre = centreOf(i, values.length);
        return (
          <rect
            key={centre}
            style={{ x: side === 'left' ? `calc(${centre}% - 1px - ${width})` : `calc(${centre}% + 1px)`, width }}
            y={`${Math.min(zero, end)}%`}
            height={`${Math.abs(zero - end)}%`}
            fill={fillOf(i)}
            onClick={(event) => {
              // The chart opens the whole month.
              event.stopPropagation();
              onOpen(i);
            }}
          />
        );
      })}
    </g>
  );
}
