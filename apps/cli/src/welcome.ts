import type { RunningLocal } from './start-local.ts';

export function welcome({ info, dataFolder }: RunningLocal): string {
  const company = `${info.api_url}/api/v1/companies/${info.company_id}`;
  const auth = `-H 'Authorization: Bearer ${info.api_key}'`;
  const json = `${auth} -H 'Content-Type: application/json'`;
  const today = new Date().toISOString().slice(0, 10);
  const balance = JSON.stringify({
    as_of: today,
    balance_cents: 41_250_000,
    currency: 'USD',
    connection_id: 'operating',
  });
  const transaction = JSON.stringify({
    external_id: 'bank-1',
    posted_at: `${today}T09:30:00Z`,
    amount_cents: -12_500,
    description: 'Cloud hosting',
    connection_id: 'operating',
  });
  const signIn =
    info.sign_in_url === null
      ? `${info.dashboard_url} (sign in with a key)`
      : `${info.sign_in_url}
            its button signs in once, within 24 hours; a fresh link: npx -y pnpm@12.21.0 run sign-in`;
  return `
finhook is ready.

  Dashboard ${signIn}
  API       ${info.api_url}/api/v1
  API docs  ${info.api_url}/docs
  API key   ${info.api_key}
  Company   ${info.company_id}
  Ops       ${info.ops_url}, password ${info.ops_password}
  Data      ${dataFolder}

A key stands for one person. Large wires and approvals need a decision by a second person, with a key of their own:

  npx -y pnpm@12.21.0 run account:key --name "Second person"

Post a cash balance:

  curl -s ${company}/cash/balances ${json} -d '${balance}'

Post a bank transaction:

  curl -s ${company}/bank/transactions ${json} -d '${transaction}'

Read the resulting events:

  curl -s ${info.api_url}/api/v1/events ${auth}

In another terminal, twelve months of a company with signed webhooks to a receiver:

  npx -y pnpm@12.21.0 run demo

Ctrl-C stops everything; the data stays.
`;
}
