import { createClient, type FinhookClient } from '@finhook/client';
import type { Target } from '../find-or-start.ts';
import { runAgents, runOffice, runSpinOff } from './cause-events.ts';
import { createDemoCompany, type DemoCompany } from './demo-company.ts';
import { type DemoReceiver, startDemoReceiver, startLoopbackServer } from './demo-receiver.ts';

/** Balances sent at once, and rows in a batch of transactions. */
const BALANCES_AT_ONCE = 25;
const BATCH_ROWS = 500;
const DELIVERY_TIMEOUT_MS = 60_000;
const PAGE = 200;

/** Counts of the feed's events since the demo began, received and verified. */
interface Reconciled {
  events: number;
  received: number;
  /** Types of the catalogue, and those that did not come. */
  types: number;
  missingTypes: readonly string[];
}

export interface DemoResult extends Reconciled {
  /** The dashboard's page of the company that the demo made. */
  dashboardUrl: string;
  /** The receiver's endpoint, which stays. */
  endpointId: string;
  stored: { balances: number; transactions: number; snapshots: number };
  /** Requests that wrote the year, and how long they took. */
  requests: number;
  ingestMs: number;
  deliveries: number;
  rejected: readonly string[];
  latenciesMs: readonly number[];
}

type Progress = (line: string) => void;

/**
 * Posts a year of data to a running service, causes every event of the catalogue and receives them. Its data stays;
 * disposing `ending` before the end deletes its endpoints. Throws when a call is rejected.
 */
export async function runDemo(target: Target, progress: Progress, ending: AsyncDisposableStack): Promise<DemoResult> {
  const client = createClient({ baseUrl: target.api_url, apiKey: target.api_key });
  const began = new Date();
  await using servers = new AsyncDisposableStack();
  ending.use(servers);
  const receiver = await startDemoReceiver();
  servers.defer(receiver.close);
  const broken = await startLoopbackServer((_, response) => void response.writeHead(500).end());
  servers.defer(broken.close);
  const unfinished = ending.use(new AsyncDisposableStack());
  const subscribe = async (options: Parameters<typeof client.webhookEndpoints.create>[0]) => {
    const endpoint = await client.webhookEndpoints.create(options);
    unfinished.defer(async () => void (await client.webhookEndpoints.delete({ endpoint_id: endpoint.id })));
    return endpoint;
  };

  const endpoint = await subscribe({ url: receiver.url, description: 'Receiver of the demo' });
  receiver.useSecret(endpoint.secret);
  progress(`Webhook endpoint ${endpoint.id} → ${receiver.url}`);
  await runSpinOff(client, () => receiver.waitFor(() => receiver.has('partner.sync_completed'), DELIVERY_TIMEOUT_MS));
  progress('A company was formed, read its bank and was dissolved');

  const company_id = await createCompany(client, began);
  progress(`Company ${company_id}`);
  const failing = await subscribe({
    url: broken.url,
    company_id,
    // Enough deliveries fail in a row for the endpoint to be reported as failing.
    events: [
      'agent.linked',
      'agent.action.logged',
      'agent.action.completed',
      'agent.action.failed',
      'agent.flag.created',
    ],
    description: 'Answered every delivery of the demo with 500',
  });
  const written = await post(client, company_id, createDemoCompany(began), progress);
  await runOffice(client, company_id);
  await runAgents(client, target, company_id);
  progress('Filings, a case, directives, a wire and two agents');

  progress('Waiting for the last events…');
  const reconciled = await reconcile(client, receiver, began);
  // No receiver from here on: one endpoint is deleted, the other receives only events of the demo's company.
  await client.webhookEndpoints.update({ endpoint_id: failing.id, status: 'paused' });
  await client.webhookEndpoints.update({ endpoint_id: endpoint.id, company_id });
  unfinished.move();
  return {
    ...reconciled,
    ...written,
    dashboardUrl: `${target.api_url}/dashboard?company=${company_id}`,
    endpointId: endpoint.id,
    stored: await countStored(client, company_id),
    deliveries: receiver.deliveries(),
    rejected: receiver.rejected,
    latenciesMs: [...receiver.events.values()].map(({ latencyMs }) => latencyMs),
  };
}

/** Waits for an event of each type and for every event of the feed. */
async function reconcile(client: FinhookClient, receiver: DemoReceiver, since: Date): Promise<Reconciled> {
  const { data } = await client.eventTypes.list();
  const types = data.filter(({ operational }) => !operational).map(({ type }) => type);
  const missing = () => types.filter((type) => !receiver.has(type));
  await receiver.waitFor(() => missing().length === 0, DELIVERY_TIMEOUT_MS);
  const ids = await readFeed(client, since);
  const received = () => ids.filter((id) => receiver.events.has(id)).length;
  await receiver.waitFor(() => received() === ids.length, DELIVERY_TIMEOUT_MS);
  return { events: ids.length, received: received(), types: types.length, missingTypes: missing() };
}

async function readFeed(client: FinhookClient, since: Date): Promise<string[]> {
  const ids: string[] = [];
  const page = { created_from: since.toISOString(), limit: PAGE };
  for (let after: string | undefined; ; ) {
    const { data, next_cursor } = await client.events.list(after === undefined ? page : { ...page, after });
    ids.push(...data.map(({ id }) => id));
    if (data.length < PAGE || next_cursor === null) return ids;
    after = next_cursor;
  }
}

async function createCompany(client: FinhookClient, began: Date): Promise<string> {
  const { id } = await client.companies.create({
    name: `Demo company ${began.toISOString().slice(0, 19)}Z`,
    base_currency: 'USD',
    timezone: 'America/New_York',
    entity_type: 'c_corp',
    jurisdiction: 'US-DE',
  });
  return id;
}

async function post(
  client: FinhookClient,
  companyId: string,
  demo: DemoCompany,
  progress: Progress,
): Promise<Pick<DemoResult, 'requests' | 'ingestMs'>> {
  const began = performance.now();
  let requests = 0;
  for (let i = 0; i < demo.transactions.length; i += BATCH_ROWS) {
    const transactions = demo.transactions.slice(i, i + BATCH_ROWS);
    await client.bank.transactions.ingest({ company_id: companyId, transactions });
    requests++;
    progress(`Transactions ${i + transactions.length} of ${demo.transactions.length}`);
  }
  for (let i = 0; i < demo.balances.length; i += BALANCES_AT_ONCE) {
    const slice = demo.balances.slice(i, i + BALANCES_AT_ONCE);
    await Promise.all(slice.map((balance) => client.cash.balances.upsert({ company_id: companyId, ...balance })));
    requests += slice.length;
    if ((i / BALANCES_AT_ONCE) % 4 === 3) progress(`Balances ${i + slice.length} of ${demo.balances.length}`);
  }
  for (const snapshot of snapshotsOf(demo)) {
    await client.financials.snapshots.upsert({ company_id: companyId, ...snapshot });
    requests++;
  }
  progress('Snapshots 3 of 3');
  return { requests, ingestMs: performance.now() - began };
}

function snapshotsOf({ lastMonth }: DemoCompany) {
  const { start, end, revenue, costs, opening, closing } = lastMonth;
  const common = { period_start: start, period_end: end, currency: 'USD', source: 'demo_books' };
  const profit = revenue - costs;
  const savings = 60_000_000;
  return [
    {
      ...common,
      statement_type: 'income' as const,
      totals: { revenue, opex: costs, operating_income: profit, net_income: profit },
      line_items: [
        { key: 'revenue', label: 'Revenue', amount_cents: revenue },
        { key: 'opex', label: 'Operating expenses', amount_cents: -costs },
        { key: 'net_income', label: 'Net income', amount_cents: profit, is_total: true },
      ],
    },
    {
      ...common,
      statement_type: 'balance' as const,
      totals: {
        cash: closing + savings,
        total_assets: closing + savings,
        total_liabilities: 0,
        total_equity: closing + savings,
      },
      line_items: [
        { key: 'cash', label: 'Cash', amount_cents: closing + savings },
        { key: 'total_assets', label: 'Total assets', amount_cents: closing + savings, is_total: true },
      ],
    },
    {
      ...common,
      statement_type: 'cashflow' as const,
      totals: {
        operating_cash_flow: profit,
        net_change_in_cash: profit,
        opening_cash: opening + savings,
        closing_cash: closing + savings,
      },
      line_items: [
        { key: 'operating_cash_flow', label: 'Operating cash flow', amount_cents: profit },
        { key: 'net_change_in_cash', label: 'Net change in cash', amount_cents: profit, is_total: true },
      ],
    },
  ];
}

async function countStored(client: FinhookClient, companyId: string): Promise<DemoResult['stored']> {
  const page = { company_id: companyId, limit: 1, include: 'total_count' as const };
  const [balances, transactions, snapshots] = await Promise.all([
    client.cash.balances.list(page),
    client.bank.transactions.list(page),
    client.financials.snapshots.list(page),
  ]);
  return {
    balances: balances.total_count ?? 0,
    transactions: transactions.total_count ?? 0,
    snapshots: snapshots.total_count ?? 0,
  };
}
