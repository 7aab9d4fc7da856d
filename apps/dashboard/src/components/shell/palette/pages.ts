import { formatLongMonth } from '../../../lib/format-time.ts';
import type { Company } from '../company-context.ts';
import { navigationPages } from '../navigation.tsx';
import type { Entry } from './palette.view.ts';

/** Other words by which people look for a page, beside its name. */
const otherWords: Readonly<Record<string, string>> = {
  '/': 'Cash, runway, burn, forecast',
  '/spending': 'Vendors, categories, costs',
  '/transactions': 'Payments, import, export',
  '/balances': 'Cash',
  '/financials': 'Statements, profit and loss, balance sheet',
  '/data-quality': 'Stale accounts, duplicates, checks',
  '/connections': 'Connections, feeds',
  '/approvals': 'Wires, agent requests',
  '/companies': 'Settings, rules',
  '/compliance': 'Taxes, deadlines, calendar',
  '/cases': 'Tasks, comments',
  '/directives': 'Instructions for agents',
  '/agents': 'Flags, actions, AI',
  '/settings/webhooks': 'Endpoints, deliveries, replays, secrets',
  '/logs': 'Audit, history',
  '/requests': 'API calls',
  '/settings/keys': 'Tokens, permissions',
  '/settings/sessions': 'Devices, sign out',
};

/** The pages of the navigation and those of a company that it doesn't have. `month` is the last that has ended. */
export function pageEntries(company: Pick<Company, 'id' | 'name'> | undefined, month: string): Entry[] {
  const pages = navigationPages.map(({ to, label }): Entry => ({ id: to, label, about: otherWords[to], goes: { to } }));
  if (company === undefined) return pages;
  const goesToCompany = { to: '/companies/$companyId', params: { companyId: company.id } } as const;
  return [
    ...pages,
    {
      id: 'report',
      label: `Report for ${formatLongMonth(month)}`,
      about: 'Month, print',
      goes: { to: '/reports/$month', params: { month } },
    },
    { id: 'company', label: `Settings of ${company.name}`, about: 'Exchange rates, threshold', goes: goesToCompany },
  ];
}
