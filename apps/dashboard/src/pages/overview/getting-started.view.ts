import type { Outputs } from '../../lib/trpc.ts';

interface Command {
  label: string;
  command: string;
}

type StepId = 'data' | 'endpoint' | 'delivery' | 'key';

/** A step on the way from the first data to a verified webhook. */
export interface Step {
  id: StepId;
  isDone: boolean;
  commands: readonly Command[];
}

/** A fact is undefined if it is unknown or the key may not do this step. */
interface Facts {
  company: Pick<Outputs['companies']['get'], 'id' | 'base_currency'>;
  hasData: boolean | undefined;
  endpoints:
    | ReadonlyArray<
        Pick<Outputs['webhookEndpoints']['list']['data'][number], 'id' | 'company_id' | 'status' | 'last_success_at'>
      >
    | undefined;
  /** The active keys of providers. */
  keys: ReadonlyArray<Pick<Outputs['apiKeys']['list']['data'][number], 'company_ids'>> | undefined;
}

/** Steps whose state is known, in their order. `now` dates the first posts. */
export function stepsOf({ company, hasData, endpoints, keys }: Facts, origin: string, now: Date): Step[] {
  const own = endpoints?.filter(({ company_id }) => company_id === null || company_id === company.id);
  const active = own?.find(({ status }) => status === 'active');
  const today = now.toISOString().slice(0, 10);
  const known = (id: StepId, isDone: boolean | undefined, commands: readonly Command[]): Step[] =>
    isDone === undefined ? [] : [{ id, isDone, commands }];
  return [
    ...known('data', hasData, firstPosts(origin, company.id, company.base_currency, today)),
    ...known('endpoint', own && own.length > 0, [createEndpoint(origin)]),
    ...known(
      'delivery',
      own?.some(({ last_success_at }) => last_success_at !== null),
      active ? [sendTest(origin, active.id)] : [],
    ),
    ...known(
      'key',
      keys?.some(({ company_ids: ids }) => ids === null || ids.includes(company.id)),
      [createKey(origin, company.id)],
    ),
  ];
}

/** A service without TLS runs on this machine, and accepts the receiver of the README. */
function createEndpoint(origin: string): Command {
  const url = origin.startsWith('https:') ? 'https://example.com/webhooks' : 'http://127.0.0.1:4000/webhooks';
  return { label: 'Create an endpoint', command: curl(`${origin}/api/v1/webhook-endpoints`, { url, events: [] }) };
}

function sendTest(origin: string, endpointId: string): Command {
  const url = `${origin}/api/v1/webhook-endpoints/${endpointId}/test`;
  return { label: 'Send a test event', command: curl(url, { event: 'bank.balance.updated' }) };
}

function createKey(origin: string, companyId: string): Command {
  const key = { name: 'Bank sync', scope: 'ingest', company_ids: [companyId] };
  return { label: 'Create a key for a provider', command: curl(`${origin}/api/v1/api-keys`, key) };
}

/** A one-line command for a POSIX shell. It reads the key from a variable and never contains it. */
function curl(url: string, body: unknown): string {
  const data = JSON.stringify(body).replaceAll("'", String.raw`'\''`);
  return `curl -s ${url} -H "Authorization: Bearer $FINHOOK_API_KEY" -H 'Content-Type: application/json' -d '${data}'`;
}

/** Commands that post a first balance, transaction and statement dated `today`. */
export function firstPosts(origin: string, companyId: string, currency: string, today: string): Command[] {
  const base = `${origin}/api/v1/companies/${companyId}`;
  return [
    {
      label: 'Post a cash balance',
      command: curl(`${base}/cash/balances`, {
        as_of: today,
        balance_cents: 41_250_000,
        currency,
        connection_id: 'operating',
      }),
    },
    {
      label: 'Post a bank transaction',
      command: curl(`${base}/bank/transactions`, {
        external_id: 'bank-1',
        posted_at: `${today}T00:00:00Z`,
        amount_cents: -12_500,
        currency,
        description: 'Cloud hosting',
        connection_id: 'operating',
      }),
    },
    {
      label: 'Post a statement',
      command: curl(`${base}/financials/snapshots`, {
        statement_type: 'income',
        period_start: `${today.slice(0, 7)}-01`,
        period_end: today,
        currency,
        totals: { revenue: 9_000_000, opex: 7_800_000, net_income: 1_200_000 },
      }),
    },
  ];
}
