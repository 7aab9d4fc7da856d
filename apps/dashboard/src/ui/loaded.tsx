import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState, Loading } from './states.tsx';

export interface LoadedProps<Data> {
  query: UseQueryResult<Data, unknown>;
  /** Said while it is read, such as "Loading the filing". */
  label: string;
  /** How many lines hold its place meanwhile. */
  lines?: number;
  children: (data: Data) => ReactNode;
}

/** What was read, or why it could not be. What is there stays, also when it can't be read again. */
export function Loaded<Data>({ query, label, lines = 3, children }: LoadedProps<Data>): ReactNode {
  if (query.data !== undefined) return children(query.data);
  if (query.error == null) return <Loading label={label} lines={lines} />;
  return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
}
