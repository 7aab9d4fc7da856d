interface FirstPost {
  label: string;
  command: string;
}

/** A one-line command for a POSIX shell. It reads the key from a variable and never contains it. */
function curl(url: string, body: unknown): string {
  const data = JSON.stringify(body).replaceAll("'", String.raw`'\''`);
  return `curl -s ${url} -H "Authorization: Bearer $FINHOOK_API_KEY" -H 'Content-Type: application/json' -d '${data}'`;
}

/** Commands that post a first balance, transaction and statement dated `today`. */
export function firstPosts(origin: string, companyId: string, currency: string, today: string): FirstPost[] {
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
