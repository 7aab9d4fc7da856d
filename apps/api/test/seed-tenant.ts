import { operations } from '@finhook/contracts';
import { vi } from 'vitest';
import type { ApiClient, ApiResponse } from './api-client.ts';
import type { Tenant } from './api-fixture.ts';
import { signIn } from './sign-in.ts';

/** One record of each kind, by the name that operations give its id. */
export interface Seed {
  company_id: string;
  /** A company that is being formed, and a step of it. */
  forming_company_id: string;
  step_key: string;
  /** A company that no other operation needs. */
  spare_company_id: string;
  /** Wires requested by another key: one to decide on, one to cancel. */
  approval_id: string;
  spare_approval_id: string;
  /** A bank connection with a token whose sync runs, one without a running sync, and one that no other operation needs. */
  connection_id: string;
  sync_id: string;
  idle_connection_id: string;
  spare_connection_id: string;
  /** An agent of the company with its work, and one that is attached to nothing. */
  agent_id: string;
  spare_agent_id: string;
  action_id: string;
  flag_id: string;
  agent_approval_id: string;
  spare_agent_approval_id: string;
  balance_id: string;
  transaction_id: string;
  snapshot_id: string;
  filing_id: string;
  case_id: string;
  directive_id: string;
  endpoint_id: string;
  key_id: string;
  /** A sign-in with the tenant's own key. */
  session_id: string;
  event_id: string;
  delivery_id: string;
  /** A replay that waits for a worker. */
  replay_id: string;
  request_id: string;
  /** The number of an attempt of this delivery. */
  attempt: string;
}

function created<T>(response: ApiResponse<T>): T {
  if (response.status !== 201) throw new Error(`Seeding failed: ${response.status} ${response.text}`);
  return response.body;
}

async function seedCompanies(
  client: ApiClient,
): Promise<Pick<Seed, 'forming_company_id' | 'step_key' | 'spare_company_id'>> {
  const { create } = operations.companies;
  const forming = created(await client.rest(create, { name: 'Forming Inc', entity_type: 'llc', status: 'forming' }));
  const spare = created(await client.rest(create, { name: 'Spare Inc' }));
  return { forming_company_id: forming.id, step_key: 'name_reserved', spare_company_id: spare.id };
}

/** The requester of a wire cannot decide on it: another person asks. */
async function seedWires(tenant: Tenant): Promise<Pick<Seed, 'approval_id' | 'spare_approval_id'>> {
  const { client, companyId: company_id } = tenant;
  const { create } = operations.bank.wires;
  const key = await tenant.otherPerson();
  const ask = async () => created(await client.rest(create, { company_id, ...create.example }, { key })).id;
  return { approval_id: await ask(), spare_approval_id: await ask() };
}

async function seedConnections({
  client,
  companyId: company_id,
}: Tenant): Promise<Pick<Seed, 'connection_id' | 'sync_id' | `${'idle' | 'spare'}_connection_id`>> {
  const { create, setSecret, sync } = operations.bank.connections;
  const connect = async () => created(await client.rest(create, { company_id, ...create.example })).id;
  const [connection_id, idle_connection_id] = [await connect(), await connect()];
  for (const id of [connection_id, idle_connection_id])
    await client.rest(setSecret, { connection_id: id, secret: 'first-token-of-it' });
  const run = await client.rest(sync, { connection_id });
  return { connection_id, sync_id: run.body.id, idle_connection_id, spare_connection_id: await connect() };
}

type AgentSeed = 'agent_id' | 'spare_agent_id' | 'action_id' | 'flag_id' | `${'' | 'spare_'}agent_approval_id`;

async function seedAgents({ client, companyId: company_id, otherPerson }: Tenant): Promise<Pick<Seed, AgentSeed>> {
  const { agents, agentActions, agentApprovals, agentFlags } = operations;
  const agent_id = created(await client.rest(agents.create, { ...agents.create.example, company_id })).id;
  const spare = created(await client.rest(agents.create, agents.create.example));
  const place = { agent_id, company_id };
  const email = { ...place, type: 'email.send' };
  const action = created(await client.rest(agentActions.create, email));
  const error = { code: 'smtp_550', message: 'Mailbox unknown' };
  created(await client.rest(agentActions.create, { ...email, status: 'failed', error, duration_ms: 5 }));
  const key = await otherPerson();
  const ask = async () => created(await client.rest(agentApprovals.request, { ...place, title: 'May I?' }, { key })).id;
  const flag = created(await client.rest(agentFlags.create, { ...place, title: 'Odd' }));
  return {
    agent_id,
    spare_agent_id: spare.id,
    action_id: action.id,
    flag_id: flag.id,
    agent_approval_id: await ask(),
    spare_agent_approval_id: await ask(),
  };
}

/** An endpoint of its own with missed events to replay. */
async function seedReplay({ client, companyId: company_id }: Tenant): Promise<string> {
  const { create, replay } = operations.webhookEndpoints;
  const url = 'http://127.0.0.1:9/late';
  const endpoint = created(await client.rest(create, { url, company_id, events: ['directive.issued'] }));
  const { body } = await client.rest(replay, { endpoint_id: endpoint.id, since: '2020-01-01T00:00:00Z' });
  if (body.object !== 'replay') throw new Error('The replay was only counted.');
  return body.id;
}

/** The log is written after the response. */
async function seedRequest({ client }: Tenant): Promise<string> {
  const id = String((await client.rest(operations.me.get)).headers['x-request-id']);
  const isLogged = async () => (await client.rest(operations.requests.get, { request_id: id })).status === 200;
  await vi.waitUntil(isLogged, { timeout: 10_000 });
  return id;
}

/** Puts one record of each kind into an account, over REST. */
export async function seedTenant(tenant: Tenant): Promise<Seed> {
  const { client, companyId: company_id } = tenant;
  const { webhookEndpoints, apiKeys, cash, bank, financials, filings, cases, directives, deliveries } = operations;
  const endpoint = created(await client.rest(webhookEndpoints.create, { url: 'http://127.0.0.1:9/hook' }));
  const key = created(await client.rest(apiKeys.create, { name: 'Spare', scope: 'ingest' }));
  const balance = created(await client.rest(cash.balances.upsert, { company_id, ...cash.balances.upsert.example }));
  const ingest = created(
    await client.rest(bank.transactions.ingest, { company_id, ...bank.transactions.ingest.example }),
  );
  const snapshot = created(
    await client.rest(financials.snapshots.upsert, { company_id, ...financials.snapshots.upsert.example }),
  );
  const filing = created(await client.rest(filings.create, { company_id, ...filings.create.example }));
  const opened = created(await client.rest(cases.create, { company_id, ...cases.create.example }));
  created(await client.rest(cases.comments.create, { case_id: opened.id, ...cases.comments.create.example }));
  const directive = created(await client.rest(directives.create, { company_id, ...directives.create.example }));
  const sent = await client.rest(deliveries.list, { event_id: balance.event_id });
  const delivery_id = sent.body.data[0]?.id ?? '';
  await tenant.logAttempt(delivery_id);
  return {
    company_id,
    ...(await seedCompanies(client)),
    ...(await seedWires(tenant)),
    ...(await seedConnections(tenant)),
    ...(await seedAgents(tenant)),
    balance_id: balance.id,
    transaction_id: ingest.transactions[0]?.id ?? '',
    snapshot_id: snapshot.id,
    filing_id: filing.id,
    case_id: opened.id,
    directive_id: directive.id,
    endpoint_id: endpoint.id,
    key_id: key.id,
    session_id: created(await signIn(client, tenant.apiKey)).id,
    event_id: balance.event_id,
    delivery_id,
    replay_id: await seedReplay(tenant),
    request_id: await seedRequest(tenant),
    attempt: '1',
  };
}
