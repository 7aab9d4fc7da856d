/** A transaction of a test, in whole units of its currency. */
export interface TestRow {
  amount: number;
  day: string;
  /** UTC; noon by default. */
  time?: string;
  /** The external id; a new one by default. */
  id?: string;
  account?: string;
  currency?: string;
  category?: string | undefined;
  counterparty?: string;
  description?: string;
}

/** Returns a function from rows to the transactions of a request. The default account is `bank`, the currency USD. */
export function createRowMapper() {
  let count = 0;
  return (rows: readonly TestRow[]) =>
    rows.map(({ id, day, time = '12:00:00', amount, account = 'bank', currency = 'USD', ...labels }) => ({
      ...labels,
      external_id: id ?? `t${++count}`,
      posted_at: `${day}T${time}Z`,
      amount_cents: amount * 100,
      currency,
      connection_id: account,
    }));
}
