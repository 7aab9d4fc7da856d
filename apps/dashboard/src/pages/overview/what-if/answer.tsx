import type { ReactNode } from 'react';
import { Button } from '../../../components/button.tsx';
import { ForecastPlot } from '../plots/forecast-plot.tsx';
import type { Change } from './changes.view.ts';
import { answerOf, type Compared, changeText, comparedRows, type Forecast } from './what-if.view.ts';

interface AnswerProps {
  before: Forecast;
  /** Undefined while it is read. */
  after: Forecast | undefined;
  /** The forecast is of one currency of several. */
  isOfOne: boolean;
}

/** The effect of the changes, in a line that stays visible above the form. */
export function Answer({ before, after = before, isOfOne }: AnswerProps): React.JSX.Element {
  return (
    <p
      role="status"
      className="sticky -top-4 z-10 -mx-5 -mt-4 border-b bg-surface px-5 py-3 text-sm font-semibold tabular-nums"
    >
      {isOfOne && `${before.currency}: `}
      {answerOf(before, after).map((figure, i) => (
        <span key={figure.name}>
          {i > 0 && ', '}
          <Figure {...figure} />
        </span>
      ))}
    </p>
  );
}

function Figure({ name, before, after }: Compared): React.JSX.Element {
  if (before === after)
    return (
      <>
        {name} <span className="whitespace-nowrap">{after}</span>
      </>
    );
  return (
    <>
      {name} <span className="whitespace-nowrap">{before}</span> <span aria-hidden>→</span>
      <span className="sr-only">becomes</span> <span className="whitespace-nowrap">{after}</span>
    </>
  );
}

interface ChangesProps {
  changes: readonly Change[];
  currency: string;
  onRemove: (at: number) => void;
  action: ReactNode;
}

export function Changes({ changes, currency, onRemove, action }: ChangesProps): React.JSX.Element | null {
  if (changes.length === 0) return null;
  return (
    <div className="flex flex-col items-end gap-2">
      <ul aria-label="Changes" className="flex w-full flex-col divide-y rounded-md border">
        {changes.map((change, i) => (
          // Two changes may be the same.
          <li
            key={`${i} ${change.label}`}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 py-2"
          >
            <span className="min-w-0 text-sm wrap-anywhere">
              <bdi className="font-medium">{change.label}</bdi>
              <span className="block text-muted tabular-nums">{changeText(change, currency)}</span>
            </span>
            <Button size="small" variant="quiet" aria-label={`Remove ${change.label}`} onClick={() => onRemove(i)}>
              Remove
            </Button>
          </li>
        ))}
      </ul>
      {action}
    </div>
  );
}

interface ComparisonProps {
  before: Forecast;
  after: Forecast;
  today: string;
}

export function Comparison({ before, after, today }: ComparisonProps): React.JSX.Element {
  return (
    <section aria-label="Forecast" className="flex flex-col gap-4">
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">The forecast without and with the changes</caption>
        <thead>
          <tr className="border-b text-muted">
            <th scope="col" className="py-2 text-left font-medium">
              Figure
            </th>
            {['Without changes', 'With changes'].map((title) => (
              <th key={title} scope="col" className="py-2 pl-3 text-right font-medium">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {comparedRows(before, after, today).map((row) => (
            <tr key={row.name} className="border-b align-top last:border-b-0">
              <th scope="row" className="py-2 text-left font-normal text-muted">
                {row.name}
              </th>
              <td className="py-2 pl-3 text-right tabular-nums">{row.before}</td>
              <td className="py-2 pl-3 text-right font-semibold tabular-nums">{row.after}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ForecastPlot before={before} after={after} />
    </section>
  );
}
