import { type Attempt, segmentsOf } from './attempt.view.ts';

const colours = ['bg-series-3', 'bg-series-2', 'bg-series-4', 'bg-series-1', 'bg-line-strong'] as const;
const order = ['DNS', 'Connect', 'TLS', 'Waiting for the response', 'Other'];

export function TimingBar({ timings }: { timings: Attempt['timings'] }): React.JSX.Element {
  const segments = segmentsOf(timings).map((segment) => ({
    ...segment,
    colour: colours[order.indexOf(segment.label)] ?? 'bg-line-strong',
  }));
  return (
    <div className="flex flex-col gap-1.5">
      <div aria-hidden className="flex h-2 overflow-hidden rounded-full bg-sunken">
        {segments.map(({ label, share, colour }) => (
          <span key={label} className={colour} style={{ width: `${share}%` }} />
        ))}
      </div>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted" aria-label="Timings">
        {segments.map(({ label, ms, colour }) => (
          <li key={label} className="flex items-center gap-1.5">
            <span aria-hidden className={`size-2 rounded-full ${colour}`} />
            {label} <span className="text-text tabular-nums">{ms} ms</span>
          </li>
        ))}
        <li>
          Total <span className="text-text tabular-nums">{timings.total_ms} ms</span>
        </li>
      </ul>
    </div>
  );
}
