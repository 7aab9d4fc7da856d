import { formatMoney } from '@finhook/contracts/currency';
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import { useContext, useEffect, useState } from 'react';
import { formatInstant } from '../../../lib/format-time.ts';
import { monthAfter } from '../../../lib/periods.ts';
import { type Outputs, useTRPC } from '../../../lib/trpc.ts';
import { useCompanies } from '../../../lib/use-companies.ts';
import { todayIn } from '../../../lib/zoned-time.ts';
import { routeOf } from '../../record-link.tsx';
import { CompanyContext, useZone } from '../company-context.ts';
import { useActions } from './actions.tsx';
import { pageEntries } from './pages.ts';
import { type Entry, type EntryGroup, matching, shownGroups } from './palette.view.ts';
import { useCompanyRecords } from './use-company-records.ts';
import { useRecent } from './use-recent.ts';

const MAX_READ = 200;
const SHOWN = 5;
const TYPING_MS = 200;
const LONGEST_TEXT = 200;

/** What the palette offers for a text; without one, what was opened last, actions and pages. */
export function useEntries(text: string): { groups: readonly EntryGroup[]; isReading: boolean } {
  const { recent } = useRecent();
  const endpoints = useQuery(useTRPC().webhookEndpoints.list.queryOptions({ limit: MAX_READ })).data?.data ?? [];
  const actions = useActions(endpoints);
  const companies = useCompanyEntries(text);
  const vendors = useVendorEntries();
  const transactions = useTransactionEntries(text);
  const records = useCompanyRecords(text !== '');
  const month = monthAfter(todayIn(useZone()), -1);
  const pages = pageEntries(useContext(CompanyContext), month);
  if (text === '') {
    const opened = recent.map((entry): Entry => ({ ...entry, id: `recent ${entry.href}`, goes: entry }));
    return {
      groups: shownGroups([
        { label: 'Recent', items: opened },
        { label: 'Actions', items: actions.slice(0, SHOWN) },
        { label: 'Pages', items: pages.map(({ id, label, goes }) => ({ id, label, goes })) },
      ]),
      isReading: false,
    };
  }
  return {
    groups: shownGroups([
      { label: 'Pages', items: matching(pages, text, SHOWN) },
      { label: 'Actions', items: matching(actions, text, SHOWN) },
      { label: 'Companies', items: companies },
      { label: 'Endpoints', items: matching(endpoints.map(endpointEntry), text, SHOWN) },
      ...records.groups.map(({ label, items }) => ({ label, items: matching(items, text, SHOWN) })),
      { label: 'Vendors', items: matching(vendors, text, SHOWN) },
      { label: 'Transactions', items: transactions.entries },
    ]),
    isReading: transactions.isReading || records.isReading,
  };
}

function endpointEntry({ id, url, description }: Outputs['webhookEndpoints']['get']): Entry {
  const hint = description == null ? undefined : url;
  return { id, label: description ?? url, hint, about: url, goes: routeOf({ id }) };
}

function useCompanyEntries(text: string): readonly Entry[] {
  const { all, hasMore } = useCompanies();
  const entries = all.map(({ id, name, status }): Entry => {
    return {
      id,
      label: name,
      hint: status === 'active' ? undefined : status,
      goes: { to: '/', search: { company: id } },
    };
  });
  const older: Entry = {
    id: 'companies',
    label: `All companies with “${text}”`,
    goes: { to: '/companies', search: { q: text } },
  };
  return [...matching(entries, text, SHOWN), ...(hasMore ? [older] : [])];
}

/** The vendors that the company paid most in the last months. */
function useVendorEntries(): readonly Entry[] {
  const trpc = useTRPC();
  const company = useContext(CompanyContext);
  const input = company ? { company_id: company.id, by: 'counterparty' as const } : skipToken;
  const { data } = useQuery(trpc.financials.breakdown.queryOptions(input));
  return (data?.rows ?? []).flatMap(({ key, name }) =>
    key === null || name === null
      ? []
      : [{ id: `vendor ${key}`, label: name, goes: { to: '/transactions', search: { counterparty_key: key } } }],
  );
}

function useTransactionEntries(text: string): { entries: readonly Entry[]; isReading: boolean } {
  const trpc = useTRPC();
  const zone = useZone();
  const company = useContext(CompanyContext);
  const q = useSettled(text.slice(0, LONGEST_TEXT));
  const input = company && q !== '' ? { company_id: company.id, q, limit: SHOWN } : skipToken;
  const { data, isFetching } = useQuery(
    trpc.bank.transactions.list.queryOptions(input, { placeholderData: keepPreviousData }),
  );
  const rows = data?.data ?? [];
  const entries = rows.map(
    ({ id, company_id, description, counterparty, amount_cents, currency, posted_at }): Entry => {
      return {
        id,
        label: counterparty ?? description,
        hint: `${formatMoney(amount_cents, currency)} · ${formatInstant(posted_at, zone)}`,
        goes: routeOf({ id, companyId: company_id }),
      };
    },
  );
  const all: Entry = {
    id: 'transactions',
    label: `All transactions with “${q}”`,
    goes: { to: '/transactions', search: { q } },
  };
  return {
    entries: data?.has_more === true ? [...entries, all] : entries,
    isReading: company !== undefined && (q !== text.slice(0, LONGEST_TEXT) || isFetching),
  };
}

/** The text once nobody has typed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
