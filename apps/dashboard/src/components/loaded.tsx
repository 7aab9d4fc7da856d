import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState, Loading } from './states.tsx';

export interface LoadedProps<Data> {
  query: UseQueryResult<Data, unknown>;
  label: string;
  lines?: number;
  children: (data: Data) => ReactNode;
}

export function Loaded<Data>({ query, label, lines = 3, children }: LoadedProps<Data>): ReactNode {
  if (query.data !== undefined) return children(query.data);
  if (query.error == null) return <Loading label={label} lines={lines} />;
  return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
}
