/* oxlint-disable node/no-process-env -- a program of its own, which shows where the key comes from */
import { createClient } from '@finhook/client';

const finhook = createClient({ baseUrl: 'http://127.0.0.1:3000', apiKey: process.env.FINHOOK_API_KEY ?? '' });
await finhook.cash.balances.upsert({
  company_id: 'co_…',
  as_of: '2026-03-02',
  balance_cents: 41_250_000,
  currency: 'USD',
});
