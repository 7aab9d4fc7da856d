import type { QueryClient } from '@tanstack/react-query';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import type { LiveFeed } from './lib/live-feed.ts';
import type { SessionStore } from './lib/session-store.ts';
import type { createTrpc } from './lib/trpc.ts';
import { newestCompanies } from './lib/use-companies.ts';
import type { DashboardRouter } from './routes.tsx';

interface Parts {
  router: DashboardRouter;
  session: SessionStore;
  feed: LiveFeed;
  queryClient: QueryClient;
  trpcClient: ReturnType<typeof createTrpc>;
}

/** Asks for what every page of the shell waits for, while React draws the first frame: one would follow the other later. */
export async function begin({ router, session, feed, queryClient, trpcClient }: Parts): Promise<void> {
  const routes = router.getMatchedRoutes(router.latestLocation.pathname)[0];
  for (const route of routes) void router.loadRouteChunk(route)?.catch(() => undefined);
  if (!routes.some(({ id }) => id === '/shell')) return;
  if ((await session.load().catch(() => null)) === null) return;
  feed.begin();
  const trpc = createTRPCOptionsProxy({ client: trpcClient, queryClient });
  await queryClient.prefetchQuery(trpc.companies.list.queryOptions(newestCompanies));
}
