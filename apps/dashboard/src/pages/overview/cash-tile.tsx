import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ExactAmount } from '../../components/money.tsx';
import { useCompany } from '../../components/shell/company-context.ts';
import { amountIn } from '../../lib/exact-cents.ts';
import type { Outputs } from '../../lib/trpc.ts';
import { asOfText, cashCautions, countedTwiceText, noCashText, sparkOf, spokenCash } from './cash-tile.view.ts';
import { useCash, useOverviewQueries, useSeriesName } from './overview-queries.ts';
import { drawSpark } from './sparkline.view.ts';
import { BigFigure, FreshnessMark, NoFigure, Note, Tile } from './tile.tsx';

type OnHand = Outputs['cash']['onHand'];

export function CashTile({ companyId, className }: { companyId: string; className?: string }): React.JSX.Element {
  return (
    <Tile
      title="Cash on hand"
      query={useCash(companyId)}
      className={className}
      actions={({ lines: [first] }) => first && <FreshnessMark grade={first.freshness} />}
    >
      {(cash) => <Cash cash={cash} companyId={companyId} />}
    </Tile>
  );
}

function Cash({ cash, companyId }: { cash: OnHand; companyId: string }): React.JSX.Element {
  const [headline, ...others] = cash.lines;
  const cautions = cashCautions(cash);
  const isDissolved = useCompany().status === 'dissolved';
  return (
    <>
      <p role="status" aria-live="polite" className="sr-only">
        {useChange(spokenCash(cash))}
      </p>
      {headline === undefined ? (
        <NoFigure>{noCashText(cash.excluded.length > 0, isDissolved)}</NoFigure>
      ) : (
        <div className="flex flex-wrap gap-x-6 gap-y-3">
          <div className="min-w-0 grow basis-72">
            <BigFigure>
              <ExactAmount {...amountIn(headline, 'balance')} currency={headline.currency} />
            </BigFigure>
            <Note>{asOfText(headline)}</Note>
          </div>
          <CashSpark companyId={companyId} currency={headline.currency} />
        </div>
      )}
      {others.length > 0 && (
        <ul aria-label="Other currencies" className="mt-3 flex flex-col gap-1.5 border-t pt-3">
          {others.map((line) => (
            <li key={line.currency} className="flex flex-wrap items-baseline justify-between gap-x-4">
              <ExactAmount {...amountIn(line, 'balance')} currency={line.currency} className="text-lg font-semibold" />
              <span className="flex flex-wrap items-baseline gap-x-3 text-xs text-muted">
                <span>
                  {line.currency} · {asOfText(line)}
                </span>
                <FreshnessMark grade={line.freshness} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <CountedTwiceNote companyId={companyId} />
      {cautions.length > 0 && (
        <ul aria-label="Notes" className="mt-3 flex flex-col gap-1.5">
          {cautions.map((text) => (
            <li key={text} className="rounded-md bg-warn-soft px-2.5 py-1.5 text-xs text-warn">
              {text}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function CountedTwiceNote({ companyId }: { companyId: string }): React.JSX.Element | null {
  const { data } = useQuery(useOverviewQueries(companyId).dataQuality);
  const nameOf = useSeriesName(companyId);
  if (!data?.counted_twice) return null;
  return (
    <p className="mt-3 rounded-md bg-warn-soft px-2.5 py-1.5 text-xs text-warn">
      {countedTwiceText(data.counted_twice, nameOf)} If it is one account, exclude one of the two in the{' '}
      <Link to="/companies/$companyId" params={{ companyId }} className="underline">
        company settings
      </Link>
      .
    </p>
  );
}

/** Only decorates the figure: if the query fails, the plots below show the error. */
function CashSpark({ companyId, currency }: { companyId: string; currency: string }): React.JSX.Element {
  const history = useQuery(useOverviewQueries(companyId).history);
  const spark = history.data && sparkOf(history.data, currency);
  return (
    <div className="min-h-18 min-w-0 grow basis-40">
      {spark && spark.values.length > 1 && (
        <>
          <Sparkline {...spark} />
          <p className="mt-1 text-right text-xs text-muted">Last {spark.values.length} days</p>
        </>
      )}
    </div>
  );
}

function Sparkline({ values, label }: { values: readonly bigint[]; label: string }): React.JSX.Element | null {
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

/** The text once it changed; empty before, so that a screen reader announces only changes. */
function useChange(text: string): string {
  const [state, setState] = useState({ text, changed: false });
  if (state.text === text) return state.changed ? text : '';
  setState({ text, changed: true });
  return text;
}
