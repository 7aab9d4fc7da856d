import type { ReactNode } from 'react';
import { Page } from './page.tsx';
import { ErrorState } from './states.tsx';

export interface PendingPageProps {
  title: string;
  intro?: ReactNode;
  query: { readonly error: unknown; readonly refetch: () => unknown };
  children: ReactNode;
}

export function PendingPage({ title, intro, query, children }: PendingPageProps): React.JSX.Element {
  return (
    <Page title={title} intro={intro}>
      {query.error ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : children}
    </Page>
  );
}
