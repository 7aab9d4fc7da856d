import { setTimeout as delay } from 'node:timers/promises';
import { createClient, type FinhookClient } from '@finhook/client';
import type { Target } from '../find-or-start.ts';
import { runAgents, runOffice, runSpinOff } from './cause-events.ts';
import { createDemoCompany } from './demo-company.ts';
import { type DemoReceiver, startDemoReceiver, startLoopbackServer } from './demo-receiver.ts';
import { postDemo } from './post-demo.ts';

const DELIVERY_TIMEOUT_MS = 60_000;
const PAGE = 200;
const RETRY_POLL_MS = 200;

interface Reconciled {
  events: number;
  received: number;
  types: number;
  missingTypes: readonly string[];
}

export interface DemoResult extends Reconciled {
  dashboardUrl: string;
  stored: { balances: number; transactions: number; snapshots: number };
  requests: number;
  ingestMs: number;
  deliveries: number;
  rejected: readonly string[];
  latenciesMs: readonly number[];
}

/**
 * Posts a year of data, causes every event of the catalogue and receives them. Disposing `ending` early deletes its
 * endpoints and its key.
 */
export async function runDemo(
  target: Target,
  progress: (line: string) => void,
  ending: AsyncDisposableStack,
): Promise<DemoResult> {
  const client = createClient({ baseUrl: target.api_url, apiKey: target.api_key });
  const began = new Date();
  await using servers = new AsyncDisposableStack();
  ending.use(servers);
  const receiver = await startDemoReceiver();
  servers.defer(receiver.close);
  const broken = await startLoopbackServer(
    (_, response) => void response.writeHead(500).end('The database is read-only.'),
  );
  servers.defer(broken.close);
  const unfinished = ending.use(new AsyncDisposableStack());
  const subscribe = async (options: Parameters<typeof client.webhookEndpoints.create>[0]) => {
    const endpoint = await client.webhookEndpoints.create(options);
    unfinished.defer(async () => void (await client.webhookEndpoints.delete({ endpoint_id: endpoint.id })));
    return endpoint;
  };

  const types = await readTypes(client);
  const endpoint = await subscribe({ url: receiver.url, events: types, description: 'Receiver of the demo' });
  receiver.useSecret(endpoint.secret);
  progress(`Webhook endpoint ${endpoint.id} → ${receiver.url}`);
  await runSpinOff(client, () => receiver.waitFor(() => receiver.has('partner.sync_completed'), DELIVERY_TIMEOUT_MS));
  progress('A company was formed, read its bank and was dissolved');

  const { id: company_id, name } = await createCompany(client);
  progress(`Company ${company_id}, ${name}`);
  const failing = await subscribe({ ...failingEndpoint, url: `${broken.url}/alerts`, company_id });
  const provider = await createProvider(client, target, company_id, unfinished);
  await setRates(client, began);
  const written = await postDemo({ client, provider, company_id, progress }, createDemoCompany(began));
  await runOffice(client, company_id);
  await runAgents(client, target, company_id);
  progress('Filings, a case, directives, a wire and two agents');

  progress('Waiting for the last events…');
  const reconciled = await reconcile(client, receiver, began, types);
  await endDeliveries(client, { received: endpoint.id, failing: failing.id, company_id });
  unfinished.move();
  return {
    ...reconciled,
    ...written,
    dashboardUrl: `${target.api_url}/dashboard?company=${company_id}`,
    stored: await countStored(client, company_id),
    deliveries: receiver.deliveries(),
    rejected: receiver.rejected,
    latenciesMs: [...receiver.events.values()].map(({ latencyMs }) => latencyMs),
  };
}

/** Enough consecutive deliveries fail to report it as failing; each fails permanently after one retry. */
const failingEndpoint = {
  events: [
    'agent.linked',
    'agent.action.logged',
    'agent.action.completed',
    'agent.action.failed',
    'agent.flag.created',
  ],
  retry_schedule: [1],
  description: 'Alerts, whose receiver returned 500 to every delivery',
};

async function createProvider(
  client: FinhookClient,
  { api_url }: Target,
  company_id: string,
  unfinished: AsyncDisposableStack,
): Promise<FinhookClient> {
  const key = await client.apiKeys.create({ name: 'Example Bank', scope: 'ingest', company_ids: [company_id] });
  unfinished.defer(async () => void (await client.apiKeys.revoke({ key_id: key.id })));
  return createClient({ baseUrl: api_url, apiKey: key.key });
}

/** Pauses both endpoints, because their receivers stop and a paused endpoint causes no alert. */
async function endDeliveries(
  client: FinhookClient,
  { received, failing, company_id }: { received: string; failing: string; company_id: string },
): Promise<void> {
  const deadline = Date.now() + DELIVERY_TIMEOUT_MS;
  const isRetrying = async (): Promise<boolean> => {
    const { data } = await client.deliveries.list({ endpoint_id: failing, status: 'retrying', limit: 1 });
    return data.length > 0;
  };
  while ((await isRetrying()) && Date.now() < deadline) await delay(RETRY_POLL_MS);
  await client.webhookEndpoints.update({ endpoint_id: failing, status: 'paused' });
  await client.webhookEndpoints.update({ endpoint_id: received, status: 'paused', company_id });
}

async function reconcile(
  client: FinhookClient,
  receiver: DemoReceiver,
  since: Date,
  types: readonly string[],
): Promise<Reconciled> {
  const missing = () => types.filter((type) => !receiver.has(type));
  await receiver.waitFor(() => missing().length === 0, DELIVERY_TIMEOUT_MS);
  const ids = await readFeed(client, since, types);
  const received = () => ids.filter((id) => receiver.events.has(id)).length;
  await receiver.waitFor(() => received() === ids.length, DELIVERY_TIMEOUT_MS);
  return { events: ids.length, received: received(), types: types.length, missingTypes: missing() };
}

/** All types except the operational ones about endpoints and their deliveries. */
async function readTypes(client: FinhookClient): Promise<string[]> {
  const { data } = await client.eventTypes.list();
  return data
    .filter(({ type, operational }) => !operational || !/^(webhook_endpoint|delivery)\./.test(type))
    .map(({ type }) => type);
}

async function readFeed(client: FinhookClient, since: Date, types: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  const page = { created_from: since.toISOString(), limit: PAGE };
  for (let after: string | undefined; ; ) {
    const { data, next_cursor } = await client.events.list(after === undefined ? page : { ...page, after });
    ids.push(...data.filter(({ type }) => types.includes(type)).map(({ id }) => id));
    if (data.length < PAGE || next_cursor === null) return ids;
    after = next_cursor;
  }
}

async function createCompany(client: FinhookClient): Promise<{ id: string; name: string }> {
  const name = 'Demo company';
  const { total_count } = await client.companies.list({ q: name, limit: 1, include: 'total_count' });
  return client.companies.create({
    name: total_count ? `${name} ${total_count + 1}` : name,
    base_currency: 'USD',
    timezone: 'America/New_York',
    entity_type: 'c_corp',
    jurisdiction: 'US-DE',
  });
}

/** Exchange rates for totals in one currency, unless the account has its own. */
async function setRates(client: FinhookClient, today: Date): Promise<void> {
  const source = 'demo';
  const known = await client.fxRates.get({});
  if (known.as_of !== null && known.source !== source) return;
  const rates = { USD: '1.0842', GBP: '0.8391', CHF: '0.9387' };
  await client.fxRates.put({ base: 'EUR', as_of: today.toISOString().slice(0, 10), rates, source });
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
