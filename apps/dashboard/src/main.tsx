import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { begin } from './begin.ts';
import { ToastProvider } from './components/toast.tsx';
import { createLiveFeed, LiveFeedContext } from './lib/live-feed.ts';
import { pollSilentChanges, pollWhenDisconnected } from './lib/polling.ts';
import { createQueryClient } from './lib/query-client.ts';
import { createRefetchChanged } from './lib/refetch-changed.ts';
import { createSessionStore } from './lib/session-store.ts';
import { createTrpc, TRPCProvider } from './lib/trpc.ts';
import { createDashboardRouter } from './routes.tsx';
import './styles.css';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no element to render into.');
let hasBegunAnew = false;
const session = createSessionStore((isOtherAccount) => {
  // A user who stays to copy a secret is not asked again: the service rejects the page's requests from now on.
  if (hasBegunAnew) return;
  hasBegunAnew = true;
  // The address names a company of the account before.
  if (isOtherAccount) location.replace(location.pathname);
  else location.reload();
});
const lookAtSession = (): void => {
  if (session.current()) void session.ask().catch(() => undefined);
};
// Another user may have signed in in another tab, and an idle page sends no request that would notice.
addEventListener('focus', lookAtSession);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') lookAtSession();
});
const queryClient = createQueryClient({ onSignedOut: () => session.lost(), onOtherSession: lookAtSession });
pollSilentChanges(queryClient);
// The next user of this tab may belong to another account.
session.subscribe(() => {
  if (session.current() === null) queryClient.clear();
});
const trpcClient = createTrpc(session);
const router = createDashboardRouter({ session });
const refetchChanged = createRefetchChanged(queryClient);
const feed = createLiveFeed({
  onChange: (events) => void refetchChanged({ events }),
  onGap: () => void queryClient.invalidateQueries(),
  onSignedOut: () => session.lost(),
  sessionId: () => session.current()?.id,
  isSignedIn: () => session.ask().then((state) => state !== null),
});
pollWhenDisconnected(feed, queryClient);
void begin({ router, session, feed, queryClient, trpcClient });

createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
          <LiveFeedContext value={feed}>
            <ToastProvider>
              <RouterProvider router={router} />
            </ToastProvider>
          </LiveFeedContext>
        </TRPCProvider>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
