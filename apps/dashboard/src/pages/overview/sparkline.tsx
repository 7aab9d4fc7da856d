import { drawSpark } from './sparkline.view.ts';

export function Sparkline({ values, label }: { values: readonly bigint[]; label: string }): React.JSX.Element | null {
  const spark = drawSpark(values);
  if (!spark) return null;
  const { width, height, line, area, zero } = spark;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="h-14 w-full"
    >
      <path d={area} className="fill-accent-soft" />
      {zero !== undefined && (
        <line
          x1={0}
          x2={width}
          y1={zero}
          y2={zero}
          vectorEffect="non-scaling-stroke"
          className="stroke-line-strong"
          strokeDasharray="3 3"
        />
      )}
      <path d={line} fill="none" strokeWidth={1.5} vectorEffect="non-scaling-stroke" className="stroke-accent" />
    </svg>
  );
}
