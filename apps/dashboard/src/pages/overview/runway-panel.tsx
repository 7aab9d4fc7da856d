import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { Button, buttonClass } from '../../components/button.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { Day } from '../../components/time.tsx';
import { formatDay, formatMonth } from '../../lib/format-time.ts';
import { plural, someOf } from '../../lib/text.ts';
import type { Outputs } from '../../lib/trpc.ts';
import { baseCurrencyFirst, monthsText } from './burn.view.ts';
import { opensRows, TransactionsLink } from './figure-link.tsx';
import { REFETCH_MS, useCash, useForecast, useOverviewQueries, useSeriesName } from './overview-queries.ts';
import {
  cashOutDay,
  doubtsOf,
  otherRunways,
  type RunwayLine,
  raiseByText,
  runwayBefore,
  runwayText,
  runwayTone,
  runwayWindows,
  statusSentence,
} from './runway.view.ts';
import { BigFigure, Note, Tile } from './tile.tsx';
import { parseChanges } from './what-if/changes.view.ts';

type Runway = Outputs['financials']['runway'];

const RunwayDrawer = lazy(() => import('./runway-drawer.tsx').then((module) => ({ default: module.RunwayDrawer })));

export function RunwayPanel(): React.JSX.Element {
  const { id } = useCompany();
  const query = useQuery({ ...useOverviewQueries(id).runway, refetchInterval: REFETCH_MS });
  // Undefined until first opened, which loads the panel.
  const [open, setOpen] = useState<boolean>();
  return (
    <>
      <Tile
        title="Runway"
        query={query}
        actions={({ headline }) =>
          headline && (
            <>
              <WhatIfLink />
              <Button size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
                Why?
              </Button>
            </>
          )
        }
      >
        {(runway) => <RunwayFigures runway={runway} onWhy={() => setOpen(true)} />}
      </Tile>
      {open !== undefined && query.data && (
        <Suspense fallback={null}>
          <RunwayDrawer companyId={id} runway={query.data} open={open} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Opens the forecast, and says how many changes it has. */
function WhatIfLink(): React.JSX.Element {
  const { changes = '' } = useSearch({ from: '/shell/company/' });
  const count = parseChanges(changes).length;
  return (
    <Link
      to="/"
      search={(now) => ({ ...now, what_if: 'open' })}
      resetScroll={false}
      className={buttonClass('plain', 'small')}
    >
      What if?{count > 0 && ` ${plural(count, 'change')}`}
    </Link>
  );
}

function RunwayFigures({ runway, onWhy }: { runway: Runway; onWhy: () => void }): React.JSX.Element {
  const { headline } = runway;
  const { id, base_currency: base } = useCompany();
  const excluded = useCash(id).data?.excluded ?? [];
  if (!headline) {
    return (
      <>
        <BigFigure>{runwayText(null, excluded)}</BigFigure>
        <Note>
          Runway is cash divided by average monthly burn. Requires a balance and one full month of transactions.
        </Note>
      </>
    );
  }
  const sentence = statusSentence(headline);
  const others = baseCurrencyFirst(otherRunways(runway), base);
  const isTotal = runway.total !== null && runway.lines.length > 1;
  // Without a total, the figures below are those of one currency, which they name.
  const isSplit = runway.total === null && others.length > 0;
  const shownCurrency = isSplit ? headline.currency : undefined;
  return (
    <>
      <BigFigure>
        <button
          type="button"
          aria-haspopup="dialog"
          title="How runway is calculated"
          onClick={onWhy}
          className={`text-left ${opensRows} ${toneOf(headline)}`}
        >
          {runwayText(headline, excluded)}
        </button>
      </BigFigure>
      {isSplit && (
        <>
          <CurrencyNote currency={headline.currency} isFirst={cashOutDay(headline) !== null} />
          <ul aria-label="Runway of the other currencies" className="mt-3 flex flex-col gap-3">
            {others.map((line) => (
              <li key={line.currency}>
                <BigFigure>
                  <span className={toneOf(line)}>{runwayText(line, excluded)}</span>
                </BigFigure>
                <CurrencyNote currency={line.currency} />
              </li>
            ))}
          </ul>
        </>
      )}
      <Notes doubts={doubtsOf(headline)} />
      <Dates headline={headline} today={runway.as_of} isTotal={isTotal} currency={shownCurrency} />
      {sentence !== undefined && <p className="mt-2 text-sm text-muted">{sentence}</p>}
      <Windows headline={headline} isTotal={isTotal} currency={shownCurrency} />
      {!isSplit && <OtherRunways lines={others} />}
    </>
  );
}

/** The currency and the accounts of a runway. */
function CurrencyNote({ currency, isFirst = false }: { currency: string; isFirst?: boolean }): React.JSX.Element {
  const { id } = useCompany();
  const nameOf = useSeriesName(id);
  const streams = useCash(id).data?.streams ?? [];
  const names = streams.filter((one) => one.currency === currency).map(({ connection_id }) => nameOf(connection_id));
  return (
    <p className="mt-1 text-sm text-muted">
      <span className="font-medium text-text">{currency}</span>
      {names.length > 0 && ` (${someOf(names)})`}
      {isFirst && ', which runs out first'}
    </p>
  );
}

/** One word where there are reasons to doubt the figure; the reasons open on demand. */
function Notes({ doubts }: { doubts: readonly string[] }): React.JSX.Element | null {
  if (doubts.length === 0) return null;
  return (
    <details className="mt-1 text-sm">
      <summary className="w-fit rounded-full bg-warn-soft px-3 text-xs leading-5 font-medium text-warn">Notes</summary>
      <ul className="mt-2 flex list-disc flex-col gap-1 pl-5 text-muted">
        {doubts.map((doubt) => (
          <li key={doubt}>{doubt}</li>
        ))}
      </ul>
    </details>
  );
}

interface DatesProps {
  headline: RunwayLine;
  today: string;
  /** The headline is of all currencies. */
  isTotal: boolean;
  /** The currency of the headline, if there are others. */
  currency: string | undefined;
}

/** When the cash runs out, when to begin to raise money, and the runway a month ago. */
function Dates({ headline, today, isTotal, currency }: DatesProps): React.JSX.Element | null {
  const { id } = useCompany();
  const forecast = useForecast(id);
  const monthly = useQuery(useOverviewQueries(id).monthly).data;
  const before = monthly && runwayBefore(monthly, headline, isTotal);
  const out = cashOutDay(headline);
  if (out === null) return null;
  const raiseBy = raiseByText(forecast.data?.raise_by_date, today, formatDay);
  return (
    <dl className="mt-2 flex flex-wrap gap-x-8 gap-y-1 text-sm">
      <div>
        <dt className="text-xs text-muted">
          {currency === undefined ? 'Cash-out date' : `Cash-out date, ${currency}`}
        </dt>
        <dd className="font-medium">
          <Day day={out} />
        </dd>
      </div>
      {raiseBy !== undefined && (
        <div>
          <dt className="text-xs text-muted">Raise by (6 months before)</dt>
          <dd className={`font-medium ${raiseBy === 'now' ? 'text-bad' : ''}`}>{raiseBy}</dd>
        </div>
      )}
      {before && (
        <div>
          <dt className="text-xs text-muted">At the end of {formatMonth(before.month)}</dt>
          <dd className="font-medium">
            <Link to="/reports/$month" params={{ month: before.month }} className={opensRows}>
              {before.text}
            </Link>
          </dd>
        </div>
      )}
    </dl>
  );
}

type WindowsProps = Omit<DatesProps, 'today'>;

/** The runway over other numbers of months, with the one in use marked. */
function Windows({ headline, isTotal, currency }: WindowsProps): React.JSX.Element | null {
  const { id } = useCompany();
  const monthly = useQuery(useOverviewQueries(id).monthly).data;
  const windows = monthly ? runwayWindows(monthly, headline) : [];
  if (windows.length === 0) return null;
  return (
    <div className="mt-4">
      <p className="text-xs text-muted">
        Runway by averaging period, in months{currency === undefined ? '' : `, ${currency}`}
      </p>
      <dl className="mt-1 grid grid-cols-4 gap-2 text-center">
        {windows.map(({ months, text, inUse }) => (
          <div
            key={months.length}
            className={`min-w-0 rounded-md border px-1 py-2 ${inUse ? 'border-accent bg-accent-soft' : ''}`}
          >
            <dt className="text-xs whitespace-nowrap text-muted">
              <span aria-hidden>{months.length} mo.</span>
              <span className="sr-only">{plural(months.length, 'month')}</span>
              {inUse && <span className="sr-only"> (in use)</span>}
            </dt>
            <dd className="font-semibold tabular-nums">
              <TransactionsLink
                rows={{ months, currency: isTotal ? undefined : headline.currency }}
                title={`Transactions of ${monthsText(months)}`}
              >
                {text}
              </TransactionsLink>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function OtherRunways({ lines }: { lines: readonly RunwayLine[] }): React.JSX.Element | null {
  if (lines.length === 0) return null;
  return (
    <ul aria-label="Runway by currency" className="mt-3 flex flex-col gap-1 border-t pt-3 text-sm">
      {lines.map((line) => (
        <li key={line.currency} className="flex flex-wrap justify-between gap-x-4">
          <span className="text-muted">{line.currency}</span>
          <span className={toneOf(line)}>{runwayText(line, [])}</span>
        </li>
      ))}
    </ul>
  );
}

const tones = { bad: 'text-bad', warn: 'text-warn' } as const;

function toneOf(line: RunwayLine): string {
  const tone = runwayTone(line);
  return tone === undefined ? '' : tones[tone];
}
