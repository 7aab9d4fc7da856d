import { type ReactNode, useEffect, useId } from 'react';
import { DialogHost } from './dialog-host.tsx';
import { ErrorState, Loading } from './states.tsx';

export function Page({
  title,
  count,
  intro,
  actions,
  children,
}: {
  title: string;
  /** Of what waits: the browser shows it before the title. */
  count?: string | undefined;
  intro?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    document.title = `${count === undefined ? '' : `(${count}) `}${title} · finhook`;
  }, [title, count]);
  return (
    <DialogHost>
      <div className="flex flex-col gap-6">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0">
            <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
            {intro !== undefined && <div className="mt-1 max-w-prose text-sm wrap-anywhere text-muted">{intro}</div>}
          </div>
          {actions !== undefined && <div className="flex flex-wrap gap-2 print:hidden">{actions}</div>}
        </div>
        {children}
      </div>
    </DialogHost>
  );
}

export interface PanelProps {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
  className?: string | undefined;
  flush?: boolean;
}

export function Panel({ title, actions, children, className = '', flush = false }: PanelProps): React.JSX.Element {
  const id = useId();
  return (
    <section aria-labelledby={id} className={`min-w-0 rounded-xl border bg-surface ${className}`}>
      <header className="flex flex-wrap items-center justify-between gap-2 px-5 pt-4 pb-2">
        <h2 id={id} className="min-w-0 text-sm font-semibold wrap-anywhere">
          {title}
        </h2>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2 print:hidden">{actions}</div>}
      </header>
      <div className={flush ? 'pb-1' : 'px-5 pb-5'}>{children}</div>
    </section>
  );
}

export interface PendingPageProps {
  title: string;
  intro?: ReactNode;
  label: string;
  query: { readonly error: unknown; readonly refetch: () => unknown };
}

export function PendingPage({ title, intro, label, query }: PendingPageProps): React.JSX.Element {
  return (
    <Page title={title} intro={intro}>
      {query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Loading label={label} lines={6} />
      )}
    </Page>
  );
}
