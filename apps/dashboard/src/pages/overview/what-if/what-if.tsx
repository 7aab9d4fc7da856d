import { useNavigate } from '@tanstack/react-router';
import { Button } from '../../../components/button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { useCompany } from '../../../components/shell/company-context.ts';
import { Loaded } from '../../../components/states.tsx';
import { todayIn } from '../../../lib/zoned-time.ts';
import { useForecast } from '../overview-queries.ts';
import { ForecastPlot } from '../plots/forecast-plot.tsx';
import { ChangeForm } from './change-form.tsx';
import {
  type Change,
  changeText,
  comparedRows,
  type Forecast,
  formatChanges,
  MAX_CHANGES,
  parseChanges,
} from './what-if.view.ts';

/** The forecast with the changes of the address, beside the one without. */
export function WhatIf({ text }: { text: string }): React.JSX.Element {
  const navigate = useNavigate();
  const { id, timezone } = useCompany();
  const changes = parseChanges(text);
  const before = useForecast(id);
  const after = useForecast(id, changes);
  const show = (next: readonly Change[] | undefined): void =>
    void navigate({
      to: '.',
      search: (now) => ({ ...now, changes: next && formatChanges(next) }),
      replace: next !== undefined,
      resetScroll: false,
    });
  return (
    <Dialog
      open
      onClose={() => show(undefined)}
      title="What if?"
      description="The forecast assumes that net burn stays at its average. Add changes to compare. The page’s link contains them, so you can share it."
      variant="side"
    >
      <Loaded query={before} label="Loading the forecast" lines={6}>
        {(base) =>
          base.currency === null ? (
            <p className="text-sm text-muted">The forecast needs a balance and one full month of transactions.</p>
          ) : (
            <div className="flex flex-col gap-6">
              <Changes
                changes={changes}
                currency={base.currency}
                onRemove={(at) => show(changes.filter((_, i) => i !== at))}
              />
              {changes.length < MAX_CHANGES && (
                <ChangeForm
                  key={changes.length}
                  currency={base.currency}
                  month={todayIn(timezone).slice(0, 7)}
                  onAdd={(change) => show([...changes, change])}
                />
              )}
              <Loaded query={after} label="Loading the forecast with the changes" lines={6}>
                {(changed) => <Result before={base} after={changed} today={todayIn(timezone)} />}
              </Loaded>
            </div>
          )
        }
      </Loaded>
    </Dialog>
  );
}

interface ChangesProps {
  changes: readonly Change[];
  currency: string;
  onRemove: (at: number) => void;
}

function Changes({ changes, currency, onRemove }: ChangesProps): React.JSX.Element | null {
  if (changes.length === 0) return null;
  return (
    <ul aria-label="Changes" className="flex flex-col divide-y rounded-md border">
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
  );
}

function Result({ before, after, today }: { before: Forecast; after: Forecast; today: string }): React.JSX.Element {
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
          {comparedRows(before, after, today).map(([name, was, is]) => (
            <tr key={name} className="border-b align-top last:border-b-0">
              <th scope="row" className="py-2 text-left font-normal text-muted">
                {name}
              </th>
              <td className="py-2 pl-3 text-right tabular-nums">{was}</td>
              <td className="py-2 pl-3 text-right font-semibold tabular-nums">{is}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ForecastPlot before={before} after={after} />
    </section>
  );
}
