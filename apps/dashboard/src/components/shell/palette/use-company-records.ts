import { connectionName } from '@finhook/contracts/connection-name';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useContext } from 'react';
import { formatDay } from '../../../lib/format-time.ts';
import { useTRPC } from '../../../lib/trpc.ts';
import { sentenceCase } from '../../badge.tsx';
import { routeOf } from '../../record-link.tsx';
import { CompanyContext } from '../company-context.ts';
import type { Entry, EntryGroup } from './palette.view.ts';

const MAX_READ = 200;

/** The records of the company whose lists are short, read when somebody begins to type: one batch of requests. */
export function useCompanyRecords(isSearching: boolean): { groups: readonly EntryGroup[]; isReading: boolean } {
  const trpc = useTRPC();
  const company = useContext(CompanyContext);
  const companyId = isSearching ? company?.id : undefined;
  const newest = companyId === undefined ? skipToken : { company_id: companyId, limit: MAX_READ };
  const accounts = useQuery(trpc.bank.connections.list.queryOptions(newest));
  const filings = useQuery(
    trpc.filings.list.queryOptions(newest === skipToken ? newest : { ...newest, order: 'desc' }),
  );
  const cases = useQuery(trpc.cases.list.queryOptions(newest));
  const agents = useQuery(trpc.agents.list.queryOptions(isSearching ? { limit: MAX_READ } : skipToken));
  const categories = useQuery(
    trpc.financials.breakdown.queryOptions(
      companyId === undefined ? skipToken : { company_id: companyId, by: 'category' },
    ),
  );
  const groups = [
    {
      label: 'Accounts',
      items: (accounts.data?.data ?? []).map((account) => entryOf(account, connectionName(account), 'Account')),
    },
    {
      label: 'Filings',
      items: (filings.data?.data ?? []).map((filing) =>
        entryOf(filing, filing.title, `${sentenceCase(filing.status)} · due ${formatDay(filing.due_date)}`),
      ),
    },
    {
      label: 'Cases',
      items: (cases.data?.data ?? []).map((one) => entryOf(one, one.title, sentenceCase(one.status))),
    },
    {
      label: 'Agents',
      items: (agents.data?.data ?? []).map(({ id, name, provider }) => entryOf({ id }, name, provider)),
    },
    {
      label: 'Categories',
      items: (categories.data?.rows ?? []).flatMap(({ key }) => (key === null ? [] : [categoryEntry(key)])),
    },
  ];
  return {
    groups,
    isReading: [accounts, filings, cases, agents, categories].some(({ isLoading }) => isLoading),
  };
}

function entryOf({ id, company_id }: { id: string; company_id?: string }, label: string, hint: string): Entry {
  return { id, label, hint, goes: routeOf({ id, companyId: company_id ?? null }) };
}

function categoryEntry(key: string): Entry {
  return {
    id: `category ${key}`,
    label: sentenceCase(key),
    hint: 'Transactions',
    goes: { to: '/transactions', search: { category_key: key } },
  };
}
