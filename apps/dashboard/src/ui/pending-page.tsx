import type { ReactNode } from 'react';
import { Page } from './page.tsx';
import { ErrorState } from './states.tsx';

export interface PendingPageProps {
  title: string;
  intro?: ReactNode;
  query: { readonly error: unknown; readonly refetch: () => unknown };
  /** What stands there while the record is read. */
  children: ReactNode;
}

/** The page of a record that is not there yet, or that could not be read. */
export function PendingPage({ title, intro, query, children }: PendingPageProps): React.JSX.Element {
  return (
    <Page title={title} intro={intro}>
      {query.error ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : children}
    </Page>
  );
}
