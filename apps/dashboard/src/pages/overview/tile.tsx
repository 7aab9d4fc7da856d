import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { breaksFigures } from '../../components/money.tsx';
import { Panel } from '../../components/page.tsx';
import { Loaded } from '../../components/states.tsx';

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
        className={`text-lg leading-tight font-semibold tracking-tight @[13rem]:text-2xl @xs:text-3xl ${breaksFigures}`}
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
