import type { Dashboard, Json } from './dashboard-fixture.ts';

type Api = Dashboard['api'];

const DAY_MS = 86_400_000;

export const day = (back: number): string => new Date(Date.now() - back * DAY_MS).toISOString().slice(0, 10);

/** Returns the id. */
export async function createCompany(api: Api, name: string, fields: object = {}): Promise<string> {
  const company = { name, status: 'active', base_currency: 'USD', timezone: 'UTC', ...fields };
  return (await api('POST', '/companies', company)).id;
}

export const requestWire = (api: Api, company: string, fields: object = {}): Promise<Json> =>
  api('POST', `/companies/${company}/bank/wires`, {
    amount_cents: 2_000_000_00,
    currency: 'USD',
    beneficiary: { name: 'Landlord', account_last4: '4321' },
    ...fields,
  });

/** Rows of today at noon, of -$1.00 each unless they say otherwise. */
export const postTransactions = (api: Api, company: string, ...rows: readonly object[]): Promise<Json> =>
  api('POST', `/companies/${company}/bank/transactions`, {
    transactions: rows.map((row, i) => ({
      external_id: `t${i}`,
      posted_at: `${day(0)}T12:00:00Z`,
      amount_cents: -100,
      currency: 'USD',
      ...row,
    })),
  });

/** 20,000.00 out in each of the last four whole months. */
export const postMonths = (api: Api, company: string, connection_id: string, fields: object = {}): Promise<Json> => {
  const now = new Date();
  const rows = [1, 2, 3, 4].map((back) => ({
    posted_at: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 15)).toISOString(),
    amount_cents: -2_000_000,
    connection_id,
    ...fields,
  }));
  return postTransactions(api, company, ...rows);
};

export const postBalance = (api: Api, company: string, balance_cents: number, fields: object = {}): Promise<Json> =>
  api('POST', `/companies/${company}/cash/balances`, {
    as_of: day(0),
    balance_cents,
    currency: 'USD',
    connection_id: 'operating',
    ...fields,
  });
