import { handlers } from '@finhook/core';
import type { WorkerFixture } from './worker-fixture.ts';

export const rowsOfPage = 3;

/** The provider's response for a page: its rows, and the next cursor up to page 2. */
export function page(number: number): { body: string } {
  const transactions = Array.from({ length: rowsOfPage }, (_, i) => ({
    external_id: `page-${number}-${i}`,
    posted_at: '2026-01-10T00:00:00Z',
    amount_cents: i,
  }));
  return { body: JSON.stringify({ transactions, next_cursor: number < 2 ? String(number + 1) : null }) };
}

export const everyRow = [0, 1, 2].flatMap((number) =>
  Array.from({ length: rowsOfPage }, (_, i) => `page-${number}-${i}`),
);

/** The receiver of the fixture is the provider, at `/bank`. */
export function syncsOf({ context, companyId, receiver, ...fixture }: WorkerFixture) {
  const connect = async (more: { provider: string; config?: { url: string } }): Promise<string> => {
    const { id } = await handlers.bank.connections.create(context, { company_id: companyId, ...more });
    await handlers.bank.connections.setSecret(context, { connection_id: id, secret: 'token-of-the-test' });
    return id;
  };
  return {
    connect,
    connectHttp: () => connect({ provider: 'http', config: { url: `${receiver.url}/bank` } }),
    begin: async (connection_id: string) => (await handlers.bank.connections.sync(context, { connection_id })).id,
    statusOf: (sync_id: string) => async () => (await handlers.bank.syncs.get(context, { sync_id })).status,
    stored: async () => {
      const rows = await fixture.query<{ external_id: string }>('SELECT external_id FROM bank_transaction ORDER BY 1');
      return rows.map(({ external_id }) => external_id);
    },
  };
}
