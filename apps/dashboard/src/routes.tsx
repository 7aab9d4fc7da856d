import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { NotFoundPage, PageError } from './components/shell/fallback-pages.tsx';
import { NeedsCompany } from './components/shell/needs-company.tsx';
import { usePendingAttribute } from './lib/pending-attribute.ts';
import { NO_RESPONSE } from './lib/problem.ts';
import type { SessionStore } from './lib/session-store.ts';
import { SessionContext } from './lib/use-session.ts';
import {
  balanceFilterNames,
  deliveryFilterNames,
  logFilterNames,
  requestFilterNames,
  spendingNames,
  transactionFilterNames,
} from './search-names.ts';

interface RouterContext {
  session: SessionStore;
}

/** A page whose code loads on demand. The router's default reloads after a failed import, which loses an offline page. */
const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch((cause: unknown) => {
        throw new Error(NO_RESPONSE, { cause });
      }),
    name,
  );

type Raw = Record<string, unknown>;

/** Keeps the named parameters and drops the rest. The service validates the values. */
function texts<const K extends string>(...names: readonly K[]): (raw: Raw) => { [P in K]?: string } {
  return (raw) => {
    const kept: { [P in K]?: string } = {};
    for (const name of names) {
      const value = raw[name];
      // Removes empty values; the router would keep the raw ones otherwise.
      if (name in raw) kept[name] = typeof value === 'string' && value !== '' ? value : undefined;
    }
    return kept;
  };
}

const root = createRootRouteWithContext<RouterContext>()({
  component: Root,
});

function Root(): React.JSX.Element {
  const { session } = root.useRouteContext();
  usePendingAttribute();
  return (
    <SessionContext value={session}>
      <Outlet />
    </SessionContext>
  );
}

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: texts('next', 'refused', 'ended'),
  component: lazyPage(() => import('./pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  validateSearch: (raw: Raw): { company?: string } => texts('company')(raw),
  search: { middlewares: [retainSearchParams(['company'])] },
  async beforeLoad({ context, location }) {
    if ((await context.session.load()) === null)
      redirect({ to: '/sign-in', search: { next: location.href }, throw: true });
  },
  component: lazyPage(() => import('./components/shell/app-shell.tsx'), 'AppShell'),
});

const ofCompany = createRoute({
  getParentRoute: () => shell,
  id: 'company',
  component: () => (
    <NeedsCompany>
      <Outlet />
    </NeedsCompany>
  ),
});

const companyPage = <const P extends string>(path: P) => ({ getParentRoute: () => ofCompany, path }) as const;

const companyPages = [
  createRoute({
    ...companyPage('/'),
    validateSearch: texts('currency', 'what_if', 'changes', 'changes_in'),
    component: lazyPage(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
  }),
  createRoute({
    ...companyPage('/spending'),
    validateSearch: texts(...spendingNames),
    component: lazyPage(() => import('./pages/spending/spending-page.tsx'), 'SpendingPage'),
  }),
  createRoute({
    ...companyPage('/reports/$month'),
    component: lazyPage(() => import('./pages/reports/month-report-page.tsx'), 'MonthReportPage'),
  }),
  createRoute({
    ...companyPage('/cases'),
    validateSearch: texts('status', 'priority', 'q'),
    component: lazyPage(() => import('./pages/cases/cases-page.tsx'), 'CasesPage'),
  }),
  createRoute({
    ...companyPage('/compliance'),
    validateSearch: texts('tab', 'month', 'status', 'type', 'filing'),
    component: lazyPage(() => import('./pages/compliance/compliance-page.tsx'), 'CompliancePage'),
  }),
  createRoute({
    ...companyPage('/directives'),
    validateSearch: texts('status', 'priority', 'open'),
    component: lazyPage(() => import('./pages/directives/directives-page.tsx'), 'DirectivesPage'),
  }),
  createRoute({
    ...companyPage('/connections'),
    validateSearch: texts('status'),
    component: lazyPage(() => import('./pages/connections/connections-page.tsx'), 'ConnectionsPage'),
  }),
  createRoute({
    ...companyPage('/financials'),
    validateSearch: texts('type', 'snapshot', 'compare'),
    component: lazyPage(() => import('./pages/financials/financials-page.tsx'), 'FinancialsPage'),
  }),
] as const;

const page = <const P extends string>(path: P) => ({ getParentRoute: () => shell, path }) as const;

const pages = [
  createRoute({
    ...page('/transactions'),
    validateSearch: texts(...transactionFilterNames, 'open'),
    component: lazyPage(() => import('./pages/transactions/transactions-page.tsx'), 'TransactionsPage'),
  }),
  createRoute({
    ...page('/transactions/import'),
    component: lazyPage(() => import('./pages/import/import-page.tsx'), 'ImportPage'),
  }),
  createRoute({
    ...page('/balances'),
    validateSearch: texts(...balanceFilterNames, 'open'),
    component: lazyPage(() => import('./pages/balances/balances-page.tsx'), 'BalancesPage'),
  }),
  createRoute({
    ...page('/data-quality'),
    validateSearch: texts('tab'),
    component: lazyPage(() => import('./pages/data-quality/data-quality-page.tsx'), 'DataQualityPage'),
  }),
  createRoute({
    ...page('/logs'),
    validateSearch: texts(...logFilterNames, 'open'),
    component: lazyPage(() => import('./pages/logs/logs-page.tsx'), 'LogsPage'),
  }),
  createRoute({
    ...page('/requests'),
    validateSearch: texts(...requestFilterNames, 'open'),
    component: lazyPage(() => import('./pages/requests/requests-page.tsx'), 'RequestsPage'),
  }),
  createRoute({
    ...page('/events/$eventId'),
    component: lazyPage(() => import('./pages/events/event-page.tsx'), 'EventPage'),
  }),
  createRoute({
    ...page('/settings/webhooks'),
    validateSearch: texts('tab', 'all', ...deliveryFilterNames, 'delivery', 'attempt', 'compare', 'check'),
    component: lazyPage(() => import('./pages/settings/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    ...page('/settings/webhooks/$endpointId'),
    validateSearch: texts('tab', ...deliveryFilterNames, 'delivery', 'attempt', 'compare'),
    component: lazyPage(() => import('./pages/settings/webhooks/endpoint-page.tsx'), 'EndpointPage'),
  }),
  createRoute({
    ...page('/settings/keys'),
    validateSearch: texts('status', 'scope', 'q', 'open'),
    component: lazyPage(() => import('./pages/settings/keys/keys-page.tsx'), 'KeysPage'),
  }),
  createRoute({
    ...page('/device'),
    validateSearch: texts('code'),
    component: lazyPage(() => import('./pages/device/device-page.tsx'), 'DevicePage'),
  }),
  createRoute({
    ...page('/settings/sessions'),
    validateSearch: texts('status'),
    component: lazyPage(() => import('./pages/settings/sessions/sessions-page.tsx'), 'SessionsPage'),
  }),
  createRoute({
    ...page('/companies'),
    validateSearch: texts('status', 'q'),
    component: lazyPage(() => import('./pages/companies/companies-page.tsx'), 'CompaniesPage'),
  }),
  createRoute({
    ...page('/companies/$companyId'),
    component: lazyPage(() => import('./pages/companies/company-page.tsx'), 'CompanyPage'),
  }),
  createRoute({
    ...page('/agents'),
    validateSearch: texts('status', 'q', 'provider', 'where'),
    component: lazyPage(() => import('./pages/agents/agents-page.tsx'), 'AgentsPage'),
  }),
  createRoute({
    ...page('/agents/$agentId'),
    validateSearch: texts('tab', 'status', 'type', 'severity', 'open'),
    component: lazyPage(() => import('./pages/agents/agent-page.tsx'), 'AgentPage'),
  }),
  createRoute({
    ...page('/cases/$caseId'),
    component: lazyPage(() => import('./pages/cases/case-page.tsx'), 'CasePage'),
  }),
  createRoute({
    ...page('/connections/$connectionId'),
    component: lazyPage(() => import('./pages/connections/connection-page.tsx'), 'ConnectionPage'),
  }),
  createRoute({
    ...page('/approvals'),
    validateSearch: (raw: Raw): { tab?: string; status?: string; open?: string } => texts('tab', 'status', 'open')(raw),
    // Links of versions before each approval had a page.
    beforeLoad({ search: { open } }) {
      if (open !== undefined) redirect({ to: '/approvals/$approvalId', params: { approvalId: open }, throw: true });
    },
    component: lazyPage(() => import('./pages/approvals/approvals-page.tsx'), 'ApprovalsPage'),
  }),
  createRoute({
    ...page('/approvals/$approvalId'),
    component: lazyPage(() => import('./pages/approvals/approval-page.tsx'), 'ApprovalPage'),
  }),
  createRoute({ ...page('$'), component: NotFoundPage }),
] as const;

/** Keeps values as text: the router would parse ids and amounts as numbers and lose digits. */
const parseSearch = (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search));

function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

const tree = root.addChildren([signIn, shell.addChildren([ofCompany.addChildren(companyPages), ...pages])]);

export function createDashboardRouter(context: RouterContext) {
  return createRouter({
    routeTree: tree,
    basepath: '/dashboard',
    context,
    defaultPreload: 'intent',
    // The page of another record starts anew: text that was typed for one record must not be sent for the next.
    defaultRemountDeps: ({ params }) => params,
    parseSearch,
    stringifySearch,
    scrollRestoration: true,
    defaultErrorComponent: PageError,
  });
}

export type DashboardRouter = ReturnType<typeof createDashboardRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: DashboardRouter;
  }
}
