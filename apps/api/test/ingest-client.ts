import { type Operations, operations } from '@finhook/contracts';
import type { output } from 'zod';
import type { ApiResponse, Input } from './api-client.ts';
import { type ApiFixture, countRows } from './api-fixture.ts';

export type Ingested = ApiResponse<output<Operations['bank']['transactions']['ingest']['output']>>;

/** The data of `bank.transaction.posted`. */
interface PostedData {
  count: number;
  transactions: { id: string; external_id: string }[];
  received: number;
  skipped: number;
}

/** A valid row to post. */
export function row(external_id: string, more: Input = {}): Input {
  return { external_id, posted_at: '2026-03-01T14:05:00Z', amount_cents: -100, ...more };
}

export function rows(count: number): Input[] {
  return Array.from({ length: count }, (_, i) => row(`row-${i}`));
}

export async function newCompany({ client }: ApiFixture): Promise<string> {
  return (await client.rest(operations.companies.create, { name: 'Rows Inc' })).body.id;
}

export function postRows({ client }: ApiFixture, company_id: string, body: Input): Promise<Ingested> {
  return client.rest(operations.bank.transactions.ingest, { company_id, ...body });
}

export function storedRows(fixture: ApiFixture, companyId: string): Promise<number> {
  return countRows(fixture, 'bank_transaction', 'company_id = $1', [companyId]);
}

/** The data of the event that an ingest emitted, read over REST. */
export async function eventOf({ client }: ApiFixture, { body }: Ingested): Promise<PostedData> {
  const event = await client.send<{ data: PostedData }>('GET', `/api/v1/events/${body.event_id}`);
  if (event.status !== 200) throw new Error(event.text);
  return event.body.data;
}
