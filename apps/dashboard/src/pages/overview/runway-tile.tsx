import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Day } from '../../components/time.tsx';
import type { Outputs } from '../../lib/trpc.ts';
import { REFETCH_MS, useOverviewQueries, useRunwayText } from './overview-queries.ts';
import { cashOutDay, doubtsOf, flagsOf, type RunwayLine, runwayTone, statusSentence } from './runway-tile.view.ts';
import { BigFigure, Note, Tile } from './tile.tsx';

type Runway = Outputs['financials']['runway'];

const RunwayDrawer = lazy(() => import('./runway-drawer.tsx').then((module) => ({ default: module.RunwayDrawer })));

export function RunwayTile({ companyId, className }: { companyId: string; className?: string }): React.JSX.Element {
  const query = useQuery({ ...useOverviewQueries(companyId).runway, refetchInterval: REFETCH_MS });
  // Undefined until first opened, which loads the panel.
  const [open, setOpen] = useState<boolean>();
  return (
    <>
      <Tile
        title="Runway"
        query={query}
        className={className}
        actions={(runway) =>
          runway.headline && (
            <Button size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
              Why?
            </Button>
          )
        }
      >
        {(runway) => <RunwayFigures companyId={companyId} runway={runway} />}
      </Tile>
      {open !== undefined && query.data && (
        <Suspense fallback={null}>
          <RunwayDrawer companyId={companyId} runway={query.data} open={open} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

function RunwayFigures({ companyId, runway }: { companyId: string; runway: Runway }): React.JSX.Element {
  const textOf = useRunwayText(companyId);
  const { headline, lines } = runway;
  if (!headline) {
    return (
      <>
        <BigFigure>{textOf(headline)}</BigFigure>
        <Note>
          Runway is cash divided by average monthly burn. Requires a balance and one full month of transactions.
        </Note>
      </>
    );
  }
  const others = lines.filter(({ currency }) => currency !== headline.currency);
  const sentence = statusSentence(headline);
  const out = cashOutDay(headline);
  return (
    <>
      <BigFigure>
        <Months line={headline} text={textOf(headline)} />
      </BigFigure>
      <Note>
        {headline.currency}
        {lines.length > 1 && headline.runway_months !== null && ', the first currency to run out'}
        {out !== null && (
          <>
            {' · cash out on '}
            <Day day={out} />
          </>
        )}
      </Note>
      {sentence !== undefined && <p className="mt-2 text-sm text-muted">{sentence}</p>}
      {doubtsOf(headline).map((doubt) => (
        <p key={doubt} className="mt-2 text-sm text-muted">
          {doubt}
        </p>
      ))}
      <Flags line={headline} />
      {others.length > 0 && (
        <ul aria-label="Runway of other currencies" className="mt-3 flex flex-col gap-1 border-t pt-3 text-sm">
          {others.map((line) => (
            <li key={line.currency} className="flex flex-wrap justify-between gap-x-4">
              <span className="text-muted">{line.currency}</span>
              <Months line={line} text={textOf(line)} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const tones = { bad: 'text-bad', warn: 'text-warn' } as const;

function Months({ line, text }: { line: RunwayLine; text: string }): React.JSX.Element {
  const tone = runwayTone(line);
  return <span className={tone && tones[tone]}>{text}</span>;
}

function Flags({ line }: { line: RunwayLine }): React.JSX.Element | null {
  const flags = flagsOf(line);
  if (flags.length === 0) return null;
  return (
    <ul aria-label="Flags" className="mt-3 flex flex-wrap gap-1.5">
      {flags.map((flag) => (
        <li key={flag}>
          <Badge tone="warn">{flag}</Badge>
        </li>
      ))}
    </ul>
  );
}
