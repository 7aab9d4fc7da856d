import { operations } from '@finhook/contracts';
import type { Tenant } from './api-fixture.ts';
import type { Answer } from './surface-client.ts';

/** One record of each kind, by the name that operations give its id. */
export interface Seed {
  company_id: string;
  balance_id: string;
  transaction_id: string;
  snapshot_id: string;
  endpoint_id: string;
  key_id: string;
  event_id: string;
  delivery_id: string;
}

function created<T>(answer: Answer<T>): T {
  if (answer.status !== 201) throw new Error(`Seeding failed: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** Puts one record of each kind into an account, through the REST surface. */
export async function seedTenant({ client, companyId: company_id }: Tenant): Promise<Seed> {
  const { webhookEndpoints, apiKeys, cash, bank, financials, deliveries } = operations;
  const endpoint = created(await client.rest(webhookEndpoints.create, { url: 'http://127.0.0.1:9/hook' }));
  const key = created(await client.rest(apiKeys.create, { name: 'Spare', scope: 'read' }));
  const balance = created(await client.rest(cash.balances.upsert, { company_id, ...cash.balances.upsert.example }));
  const ingest = created(
    await client.rest(bank.transactions.ingest, { company_id, ...bank.transactions.ingest.example }),
  );
  const snapshot = created(
    await client.rest(financials.snapshots.upsert, { company_id, ...financials.snapshots.upsert.example }),
  );
  const sent = await client.rest(deliveries.list, { event_id: balance.event_id });
  return {
    company_id,
    balance_id: balance.id,
    transaction_id: ingest.transactions[0]?.id ?? '',
    snapshot_id: snapshot.id,
    endpoint_id: endpoint.id,
    key_id: key.id,
    event_id: balance.event_id,
    delivery_id: sent.body.data[0]?.id ?? '',
  };
}
