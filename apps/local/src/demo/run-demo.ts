import { createClient, type FinhookClient } from '@finhook/client';
import type { Target } from '../find-or-start.ts';
import { createDemoCompany, type DemoCompany } from './demo-company.ts';
import { startDemoReceiver } from './demo-receiver.ts';

/** Balances sent at once, and rows in a batch of transactions. */
const BALANCES_AT_ONCE = 25;
const BATCH_ROWS = 500;
const DELIVERY_TIMEOUT_MS = 60_000;

export interface DemoResult {
  /** The dashboard's page of the company that the demo made. */
  dashboardUrl: string;
  stored: { balances: number; transactions: number; snapshots: number };
  /** Events that the writes caused, and those that were received and verified. */
  events: number;
  received: number;
  deliveries: number;
  refused: readonly string[];
  ingestMs: number;
  latenciesMs: readonly number[];
}

type Progress = (line: string) => void;

/**
 * Drives a running service with a year of data and receives every event of it. Throws when a call is refused. `ending`
 * takes its endpoint away when it is disposed before this is done.
 */
export async function runDemo(target: Target, progress: Progress, ending: AsyncDisposableStack): Promise<DemoResult> {
  const client = createClient({ url: target.api_url, apiKey: target.api_key });
  await using cleanUp = new AsyncDisposableStack();
  ending.use(cleanUp);
  const receiver = await startDemoReceiver();
  cleanUp.defer(receiver.close);

  const company = await client.companies.create.mutate({
    name: `Demo company ${new Date().toISOString().slice(0, 19)}Z`,
    base_currency: 'USD',
    timezone: 'America/New_York',
  });
  progress(`Company ${company.id}`);
  const endpoint = await client.webhookEndpoints.create.mutate({
    url: receiver.url,
    company_id: company.id,
    description: 'Receiver of the demo; deleted when it ends',
  });
  cleanUp.defer(async () => void (await client.webhookEndpoints.delete.mutate({ endpoint_id: endpoint.id })));
  receiver.useSecret(endpoint.secret);
  progress(`Webhook endpoint ${endpoint.id} → ${receiver.url}`);

  const began = performance.now();
  const events = await post(client, company.id, createDemoCompany(new Date()), progress);
  const ingestMs = performance.now() - began;
  progress(`Waiting for the last of ${events} events…`);
  await receiver.waitFor(() => receiver.events.size >= events, DELIVERY_TIMEOUT_MS);
  return {
    dashboardUrl: `${target.api_url}/dashboard?company=${company.id}`,
    stored: await countStored(client, company.id),
    events,
    received: receiver.events.size,
    deliveries: receiver.deliveries(),
    refused: receiver.refused,
    ingestMs,
    latenciesMs: [...receiver.events.values()].map(({ latencyMs }) => latencyMs),
  };
}

/** Posts everything and returns how many events that makes. */
async function post(client: FinhookClient, companyId: string, demo: DemoCompany, progress: Progress): Promise<number> {
  let events = 0;
  for (let i = 0; i < demo.transactions.length; i += BATCH_ROWS) {
    const transactions = demo.transactions.slice(i, i + BATCH_ROWS);
    await client.bank.transactions.ingest.mutate({ company_id: companyId, transactions });
    events++;
    progress(`Transactions ${i + transactions.length} of ${demo.transactions.length}`);
  }
  for (let i = 0; i < demo.balances.length; i += BALANCES_AT_ONCE) {
    const slice = demo.balances.slice(i, i + BALANCES_AT_ONCE);
    await Promise.all(
      slice.map((balance) => client.cash.balances.upsert.mutate({ company_id: companyId, ...balance })),
    );
    events += slice.length;
    if ((i / BALANCES_AT_ONCE) % 4 === 3) progress(`Balances ${i + slice.length} of ${demo.balances.length}`);
  }
  for (const snapshot of snapshotsOf(demo)) {
    await client.financials.snapshots.upsert.mutate({ company_id: companyId, ...snapshot });
    events++;
  }
  progress('Snapshots 3 of 3');
  return events;
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
    client.cash.balances.list.query(page),
    client.bank.transactions.list.query(page),
    client.financials.snapshots.list.query(page),
  ]);
  return {
    balances: balances.total_count ?? 0,
    transactions: transactions.total_count ?? 0,
    snapshots: snapshots.total_count ?? 0,
  };
}
