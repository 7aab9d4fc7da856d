import { formatMoney } from '@finhook/contracts/currency';
import type { LinkProps } from '@tanstack/react-router';
import type { Waiting } from '../../../components/shell/inbox.ts';
import { formatAgo } from '../../../lib/format-time.ts';
import { plural, someOf } from '../../../lib/text.ts';
import type { Outputs } from '../../../lib/trpc.ts';
import { daysBetween } from '../../../lib/zoned-time.ts';
import type { Flag } from '../../agents/agent.view.ts';
import { formatTimeLeft } from '../../approvals/approval.view.ts';
import { missingRatesText, RATES_HASH } from '../../companies/rates.view.ts';
import { healthOf } from '../../settings/webhooks/endpoint-health.tsx';
import type { Endpoint } from '../../settings/webhooks/use-endpoints.ts';

/** Something that a person has to do, with the page on which they do it. */
export interface Need {
  id: string;
  text: string;
  /** The name of the button. */
  action: string;
  link: Pick<LinkProps, 'to' | 'params' | 'search' | 'hash'>;
  /** The endpoint whose undelivered events belong to the text. */
  endpointId?: string;
}

export interface NeedFacts {
  companyId: string;
  waiting: readonly Waiting[];
  /** Open critical ones. */
  flags: ReadonlyArray<Pick<Flag, 'id' | 'agent_id' | 'title'>>;
  /** The number of agents whose flags are read, the newest; undefined if all are. */
  agentsRead: number | undefined;
  /** The overdue filings, the oldest first; undefined before they are read. */
  overdue: Pick<Outputs['filings']['list'], 'data' | 'total_count'> | undefined;
  cash: Pick<Outputs['cash']['onHand'], 'as_of' | 'streams'> | undefined;
  endpoints: readonly Endpoint[];
  /** The currencies because of which there is no total. */
  ratesMissing: readonly string[];
  mayPutRates: boolean;
  nameOf: (connectionId: string | null) => string;
  now: number;
  /** In the company's zone. */
  today: string;
}

/** Everything that waits for a person, approvals first. */
export function needsOf(facts: NeedFacts): Need[] {
  return [
    ...approvals(facts),
    ...criticalFlags(facts),
    ...unreadFlags(facts),
    ...overdueFilings(facts),
    ...staleAccounts(facts),
    ...failingEndpoints(facts),
    ...missingRates(facts),
  ];
}

/**
 * A line for the requests of agents and one for the wires, that with the sooner deadline first. A line that names one
 * approval leads to it, that of several wires to the inbox.
 */
function approvals({ waiting, now }: NeedFacts): Need[] {
  return [...Map.groupBy(waiting, ({ kind }) => kind).values()].map((same) => {
    const [first] = same;
    const left = first?.expires_at == null ? undefined : formatTimeLeft(first.expires_at, now);
    const need = { id: first?.kind ?? '', action: 'Review' };
    const text = first?.kind === 'wire' ? wiresText(same, left) : requestsText(same, left);
    return same.length === 1 || first?.kind === 'agent_request'
      ? { ...need, text, link: { to: '/approvals/$approvalId', params: { approvalId: first?.id ?? '' } } }
      : { ...need, text, link: { to: '/approvals' } };
  });
}

function requestsText([first, ...others]: readonly Waiting[], left: string | undefined): string {
  const one = `Agent request${left === undefined ? '' : ` expires in ${left}`}: ${first?.title ?? ''}`;
  return others.length === 0 ? one : `${one}. ${others.length} more ${others.length === 1 ? 'waits' : 'wait'}.`;
}

function wiresText(wires: readonly Waiting[], left: string | undefined): string {
  const amounts = wires.map(({ amount_cents, currency }) => formatMoney(amount_cents ?? 0, currency ?? 'USD'));
  const ends = left === undefined ? '' : ` in ${left}`;
  return wires.length === 1
    ? `Wire of ${amounts.join('')} to ${wires[0]?.title ?? ''} expires${ends}`
    : `${plural(wires.length, 'wire')}: ${someOf(amounts)}. The first expires${ends}.`;
}

function criticalFlags({ flags, companyId }: NeedFacts): Need[] {
  const [first] = flags;
  if (first === undefined) return [];
  const need = {
    id: 'flags',
    text: `${plural(flags.length, 'critical flag')}: ${someOf(flags.map(({ title }) => title))}`,
    action: 'Open',
  };
  const search = { company: companyId, tab: 'flags', ...(flags.length === 1 && { open: first.id }) };
  return flags.every(({ agent_id }) => agent_id === first.agent_id)
    ? [{ ...need, link: { to: '/agents/$agentId', params: { agentId: first.agent_id }, search } }]
    : [{ ...need, link: { to: '/agents' } }];
}

function unreadFlags({ agentsRead }: NeedFacts): Need[] {
  if (agentsRead === undefined) return [];
  const text = `More than ${plural(agentsRead, 'agent')}: critical flags of the older ones are only in the list of agents`;
  return [{ id: 'unread flags', text, action: 'Open', link: { to: '/agents' } }];
}

function overdueFilings({ overdue, today }: NeedFacts): Need[] {
  const first = overdue?.data[0];
  if (overdue === undefined || first === undefined) return [];
  const count = overdue.total_count ?? overdue.data.length;
  const late = plural(daysBetween(first.due_date, today), 'day');
  return [
    count === 1
      ? {
          id: 'filings',
          text: `${first.title} is ${late} overdue`,
          action: 'Open',
          link: { to: '/compliance', search: { filing: first.id } },
        }
      : {
          id: 'filings',
          text: `${plural(count, 'filing')} are overdue, ${first.title} for ${late}`,
          action: 'Open',
          link: { to: '/compliance' },
        },
  ];
}

function staleAccounts({ cash, nameOf, now }: NeedFacts): Need[] {
  const stale = cash?.streams.filter(({ freshness }) => freshness === 'stale') ?? [];
  const [first] = stale;
  if (cash === undefined || first === undefined) return [];
  const days = daysBetween(first.as_of, cash.as_of);
  const age = days > 0 ? `is ${plural(days, 'day')} old` : `arrived ${formatAgo(first.received_at, now)}`;
  const names = stale.map(({ connection_id }) => nameOf(connection_id));
  return [
    {
      id: 'stale',
      text:
        stale.length === 1
          ? `${names.join('')}: the balance ${age}`
          : `${stale.length} accounts have old balances: ${someOf(names)}`,
      action: 'View',
      link: { to: '/data-quality', search: { tab: 'stale' } },
    },
  ];
}

function failingEndpoints({ endpoints, companyId }: NeedFacts): Need[] {
  return endpoints
    .filter(({ company_id }) => company_id === null || company_id === companyId)
    .flatMap((endpoint) => {
      const { tone, word } = healthOf(endpoint);
      // Someone who disabled an endpoint knows.
      if (tone !== 'bad' || endpoint.disabled_reason === 'manual') return [];
      return [
        {
          id: endpoint.id,
          text: `${endpoint.description ?? endpoint.url} is ${word.toLowerCase()}`,
          action: 'Open',
          link: { to: '/settings/webhooks/$endpointId', params: { endpointId: endpoint.id } },
          endpointId: endpoint.id,
        },
      ];
    });
}

function missingRates({ ratesMissing, mayPutRates, companyId }: NeedFacts): Need[] {
  if (ratesMissing.length === 0) return [];
  return [
    {
      id: 'rates',
      text: missingRatesText(ratesMissing),
      action: mayPutRates ? 'Enter rates' : 'View rates',
      link: { to: '/companies/$companyId', params: { companyId }, hash: RATES_HASH },
    },
  ];
}
