import { Outlet, useNavigate, useRouter, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useDeferredValue, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useIsLive, useLiveUpdates } from '../../lib/live-feed.ts';
import { useSessionStore } from '../../lib/use-session.ts';
import { Badge } from '../badge.tsx';
import { Button } from '../button.tsx';
import { ErrorState, Loading } from '../states.tsx';
import { AccountMenu } from './account-menu.tsx';
import { CompanyContext } from './company-context.ts';
import { CompanySwitcher } from './company-switcher.tsx';
import { UnknownCompanyPage } from './fallback-pages.tsx';
import { Navigation, WaitingCount } from './navigation.tsx';
import { SearchButton } from './search-button.tsx';
import { useChosenCompany } from './use-chosen-company.ts';

const Dialog = lazy(() => import('../dialog.tsx').then((module) => ({ default: module.Dialog })));

export function AppShell(): React.JSX.Element | null {
  const store = useSessionStore();
  const navigate = useNavigate();
  const router = useRouter();
  const session = useSyncExternalStore(store.subscribe, store.current);
  useEffect(() => {
    const { href } = router.latestLocation;
    if (session !== null) return;
    void navigate({ to: '/sign-in', search: { next: href, ended: store.hasEnded() ? '1' : undefined }, replace: true });
  }, [session, store, navigate, router]);
  // Deferred parts are drawn in short tasks. Until then the page shows what index.html has.
  const isDrawn = useDeferredValue(true, false);
  return session && isDrawn ? <SignedInShell /> : null;
}

function SignedInShell(): React.JSX.Element {
  const chosen = useChosenCompany();
  useFocusFallback();
  const isWaiting = !useLiveUpdates() || chosen.isLoading;
  const isReady = !isWaiting && chosen.error == null && !chosen.isUnknown;
  const isDrawn = useDeferredValue(isReady);
  return (
    <CompanyContext value={chosen.company}>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:bg-surface focus:p-2 print:hidden"
      >
        Skip to content
      </a>
      <NavigationProgress />
      <div className="mx-auto flex min-h-screen max-w-[100rem]">
        <aside className="sticky top-0 hidden h-screen w-60 shrink-0 overflow-y-auto border-r p-3 lg:block print:hidden">
          <p className="px-3 pt-2 pb-5 text-lg font-semibold tracking-tight">finhook</p>
          <Navigation />
        </aside>
        <div className="flex min-w-0 flex-1 flex-col">
          <header className="sticky top-0 z-20 flex items-center gap-2 border-b bg-page/95 px-4 py-2 backdrop-blur sm:px-6 print:hidden">
            <PhoneNavigation />
            <CompanySwitcher
              companies={chosen.companies}
              company={chosen.company}
              hasMore={chosen.hasMore}
              isLoading={chosen.isLoading}
            />
            <span className="hidden flex-1 sm:block" />
            <SearchButton />
            <LiveBadge />
            <AccountMenu />
          </header>
          <MainContent>
            {(isWaiting || (isReady && !isDrawn)) && <Loading label="Loading the company" lines={5} />}
            {chosen.error != null && <ErrorState error={chosen.error} onRetry={chosen.retry} />}
            {chosen.isUnknown && <UnknownCompanyPage />}
            {isReady && isDrawn && <Outlet />}
          </MainContent>
        </div>
      </div>
    </CompanyContext>
  );
}

function NavigationProgress(): React.JSX.Element | null {
  const isLoading = useRouterState({ select: ({ status }) => status === 'pending' });
  if (!isLoading) return null;
  return (
    <div role="status" className="animate-late fixed inset-x-0 top-0 z-50 h-1 bg-accent-soft">
      <span className="sr-only">Loading the page…</span>
      <div aria-hidden className="h-full w-1/3 animate-pulse bg-accent" />
    </div>
  );
}

/** The page's content. It receives the focus after a navigation, so that screen readers start at the top. */
function MainContent({ children }: { children: React.ReactNode }): React.JSX.Element {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const main = useRef<HTMLElement>(null);
  const before = useRef(path);
  useEffect(() => {
    if (before.current !== undefined && before.current !== path) main.current?.focus({ preventScroll: true });
    before.current = path;
  }, [path]);
  return (
    <main id="main" ref={main} tabIndex={-1} className="min-w-0 flex-1 px-4 py-6 outline-none sm:px-6">
      {children}
    </main>
  );
}

function PhoneNavigation(): React.JSX.Element {
  const [open, setOpen] = useState<boolean>();
  return (
    <div className="lg:hidden">
      <Button size="small" onClick={() => setOpen(true)} aria-haspopup="dialog">
        Menu
        <WaitingCount named />
      </Button>
      {open !== undefined && (
        <Suspense fallback={null}>
          <Dialog open={open} onClose={() => setOpen(false)} title="finhook" variant="side">
            <Navigation onNavigate={() => setOpen(false)} />
          </Dialog>
        </Suspense>
      )}
    </div>
  );
}

function LiveBadge(): React.JSX.Element {
  const isLive = useIsLive();
  return (
    <span
      role="status"
      title={isLive ? 'Changes appear automatically' : 'Reconnecting; refreshing every 15 seconds'}
      // A phone's bar has room for the exception only.
      className={isLive ? 'sr-only sm:not-sr-only' : ''}
    >
      <Badge tone={isLive ? 'good' : 'warn'}>{isLive ? 'Connected' : 'Reconnecting'}</Badge>
    </span>
  );
}

function focusTargets(element: Element): HTMLElement[] {
  const targets: HTMLElement[] = [];
  for (let at: Element | null = element; at; at = at.parentElement) {
    if (at instanceof HTMLElement && (at === element || at.hasAttribute('tabindex'))) targets.push(at);
  }
  return targets;
}

/**
 * Moves the focus to the surrounding region when the focused element is removed, or keyboards and screen readers would
 * start again at the top.
 */
function useFocusFallback(): void {
  useEffect(() => {
    let targets: HTMLElement[] = [];
    const remember = ({ target }: FocusEvent): void => {
      targets = target instanceof Element ? focusTargets(target) : [];
    };
    const observer = new MutationObserver(() => {
      if (document.activeElement !== document.body || targets[0]?.isConnected !== false) return;
      targets.find(({ isConnected }) => isConnected)?.focus({ preventScroll: true });
    });
    document.addEventListener('focusin', remember);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, []);
}
