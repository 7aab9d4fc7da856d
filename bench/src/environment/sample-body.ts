/** A stored balance event without its id. About 600 bytes. */
export function sampleBody(eventId: string, accountId: string, companyId: string): string {
  const at = '2026-03-02T09:30:00.000Z';
  return JSON.stringify({
    id: eventId,
    type: 'bank.balance.updated',
    created_at: at,
    account_id: accountId,
    company_id: companyId,
    data: {
      id: 'bal_01kgw3q2m8v7d5n0r4t6x9zabc',
      object: 'cash_balance',
      account_id: accountId,
      company_id: companyId,
      as_of: '2026-03-02',
      balance_cents: 41_250_000,
      currency: 'USD',
      source: 'bank_sync',
      connection_id: 'operating',
      created_at: at,
      updated_at: at,
      result: 'updated',
      previous_balance_cents: 39_820_000,
      cash_on_hand: [{ currency: 'USD', balance_cents: 51_250_000 }],
    },
  });
}
