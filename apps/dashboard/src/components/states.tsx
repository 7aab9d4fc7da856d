import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue } from 'react';
import { explain, problemOf } from '../lib/problem.ts';
import { Button } from './button.tsx';

export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-12 text-center">
      <p className="font-medium">{title}</p>
      {children !== undefined && <div className="max-w-prose text-sm text-muted">{children}</div>}
      {action !== undefined && <div className="mt-2">{action}</div>}
    </div>
  );
}

export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }): React.JSX.Element {
  const problem = problemOf(error);
  return (
    <div
      role="alert"
      className="flex flex-col items-start gap-2 rounded-md border border-bad bg-bad-soft p-4 text-sm text-bad"
    >
      <p>{explain(error)}</p>
      {problem?.request_id !== undefined && <p className="font-mono text-xs">{problem.request_id}</p>}
      {onRetry && (
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

export function Skeleton({ className = 'h-5 w-full' }: { className?: string }): React.JSX.Element {
  return <span aria-hidden className={`block animate-pulse rounded bg-sunken ${className}`} />;
}

export function Loading({ lines = 3, label = 'Loading' }: { lines?: number; label?: string }): React.JSX.Element {
  return (
    <div role="status" className="flex flex-col gap-2 py-2">
      <span className="sr-only">{label}…</span>
      {Array.from({ length: lines }, (_, i) => (
        <Skeleton key={i} className={i === lines - 1 ? 'h-5 w-2/3' : 'h-5 w-full'} />
      ))}
    </div>
  );
}

export interface LoadedProps<Data> {
  query: UseQueryResult<Data, unknown>;
  label: string;
  lines?: number;
  flush?: boolean;
  children: (data: Data) => ReactNode;
}

export function Loaded<Data>({ query, label, lines = 3, flush = false, children }: LoadedProps<Data>): ReactNode {
  // The first drawing may be large: it is done in short tasks while the placeholder stays. Later data is drawn at once.
  const isDrawn = useDeferredValue(query.data !== undefined);
  if (query.data !== undefined && isDrawn) return children(query.data);
  const state =
    query.error == null ? (
      <Loading label={label} lines={lines} />
    ) : (
      <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    );
  return flush ? <div className="px-5 py-3">{state}</div> : state;
}
