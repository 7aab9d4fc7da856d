import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { breaksFigures } from '../../components/money.tsx';
import { Panel } from '../../components/page.tsx';
import { Loaded } from '../../components/states.tsx';
import type { Outputs } from '../../lib/trpc.ts';
import { baseCurrencyFirst } from './burn-tiles.view.ts';

interface TileProps<Data> {
  title: string;
  query: UseQueryResult<Data, unknown>;
  actions?: (data: Data) => ReactNode;
  className?: string | undefined;
  children: (data: Data) => ReactNode;
}

export function Tile<Data>({ title, query, actions, className = '', children }: TileProps<Data>): React.JSX.Element {
  const { data, error } = query;
  return (
    <Panel title={title} className={`min-h-40 ${className}`} actions={data === undefined ? undefined : actions?.(data)}>
      <Loaded query={query} label={title} lines={2}>
        {children}
      </Loaded>
      {data !== undefined && error != null && (
        <p role="status" className="mt-3 text-xs text-warn">
          May be out of date: the last refresh failed.{' '}
          <button type="button" className="underline" onClick={() => void query.refetch()}>
            Refresh
          </button>
        </p>
      )}
    </Panel>
  );
}

/** The main figure of a tile, scaled to its container. A longer figure wraps. */
export function BigFigure({ children }: { children: ReactNode }): React.JSX.Element {
  return (
    <div className="@container">
      <p
        className={`text-xl leading-tight font-semibold tracking-tight @[13rem]:text-2xl @xs:text-3xl ${breaksFigures}`}
      >
        {children}
      </p>
    </div>
  );
}

export function NoFigure({ children }: { children: ReactNode }): React.JSX.Element {
  return (
    <>
      <BigFigure>–</BigFigure>
      <Note>{children}</Note>
    </>
  );
}

export function Note({ children }: { children: ReactNode }): React.JSX.Element {
  return <p className="mt-1 text-xs text-muted">{children}</p>;
}

interface ByCurrencyProps<Line> {
  lines: readonly Line[];
  base: string;
  figure: (line: Line) => ReactNode;
  children: (line: Line) => ReactNode;
}

/** A figure per currency with its details; that of the base currency is first and larger. */
export function ByCurrency<Line extends { currency: string }>(props: ByCurrencyProps<Line>): React.JSX.Element[] {
  return baseCurrencyFirst(props.lines, props.base).map((line, i) => (
    <div key={line.currency} className={i === 0 ? '' : 'mt-3 border-t pt-3'}>
      {i === 0 ? (
        <BigFigure>{props.figure(line)}</BigFigure>
      ) : (
        <div className="@container">
          <p className={`font-semibold @[13rem]:text-lg ${breaksFigures}`}>{props.figure(line)}</p>
        </div>
      )}
      {props.children(line)}
    </div>
  ));
}

type Grade = Outputs['financials']['freshness']['grade'];

const marks: Record<Grade, readonly [word: string, dot: string, text: string]> = {
  fresh: ['Fresh', 'bg-good', 'text-good'],
  late: ['Late', 'bg-warn', 'text-warn'],
  stale: ['Stale', 'bg-bad', 'text-bad'],
  never: ['Never received', 'bg-line-strong', 'text-muted'],
};

export function FreshnessMark({ grade }: { grade: Grade }): React.JSX.Element {
  const [word, dot, text] = marks[grade];
  return (
    <span className={`inline-flex items-center gap-1.5 text-xs font-medium ${text}`}>
      <span aria-hidden className={`size-2 rounded-full ${dot}`} />
      {word}
    </span>
  );
}
