import type { AccountType } from '@finhook/contracts';
import { createTestRandom, type TestClock } from '@finhook/testing';
import { createConnection } from '../src/modules/bank/connections/create.ts';
import { disconnectConnection } from '../src/modules/bank/connections/disconnect.ts';
import { ingestTransactions } from '../src/modules/bank/transactions/ingest.ts';
import { upsertCashBalance } from '../src/modules/cash/balances/upsert.ts';
import { createCompany } from '../src/modules/companies/create.ts';
import { updateSettings } from '../src/modules/financials/figures/settings.ts';
import type { Context } from '../src/verbs/context.ts';
import { changeRows } from './change-rows.ts';

const DAY = 86_400_000;
const types: readonly AccountType[] = ['depository', 'investment', 'restricted', 'credit_card', 'loan'];
const labels = ['payroll', 'Payroll ', 'software', 'internal_transfer', 'credit_card_payment', 'series_a', 'transfer'];
const names = ['Acme GmbH', 'ACME  gmbh', 'Cloud Inc', 'Landlord', 'Payroll Ltd'];

const rules: NonNullable<Parameters<typeof updateSettings>[1]['flow_rules']> = [
  { contains: 'cloud inc', direction: 'out', flow_class: 'transfer' },
  { contains: 'landlord', direction: 'in', flow_class: 'financing' },
  { contains: 'payroll ltd', direction: 'in', flow_class: 'excluded' },
];

export interface RandomCompany {
  company_id: string;
  timezone: string;
  disconnected: string[];
  replacing: { id: string; replaces: string }[];
}

/**
 * Fills a company of the base currency USD with the rows and balances of thirteen months up to the clock's time: several
 * accounts of any type, one of them excluded and one connected again, pairs, payments of cards, financing, large inflows and
 * rows without labels, also in EUR, rows that a person classified or voided, and rules.
 */
export async function fillRandomCompany(context: Context, clock: TestClock, seed: number): Promise<RandomCompany> {
  const random = createTestRandom(seed);
  const pick = <T>(of: readonly T[], otherwise: T): T => of[random.integer(of.length)] ?? otherwise;
  const now = clock.now().getTime();
  const timezone = pick(['UTC', 'America/New_York', 'Asia/Tokyo'], 'UTC');
  const { id: company_id } = await createCompany(context, { name: `Any ${seed} Inc`, timezone, base_currency: 'USD' });
  const connect = async (replaces?: string) =>
    (await createConnection(context, { company_id, provider: 'ledger', ...(replaces && { replaces }) })).id;
  const old = await connect();
  const others = ['a', 'b', 'c', 'd'];
  const begins = new Map<string | undefined, number>();
  const moment = (account: string | undefined): string => {
    const first = begins.get(account) ?? random.integer(random.integer(3) === 0 ? 330 : 40);
    begins.set(account, first);
    return new Date(now - 390 * DAY + first * DAY + random.integer((390 - first) * DAY)).toISOString();
  };
  let count = 0;
  const row = (account: string | undefined, amount_cents: number) => ({
    external_id: `t${++count}`,
    posted_at: moment(account),
    amount_cents,
    currency: random.integer(8) === 0 ? 'EUR' : 'USD',
    connection_id: account,
    category: random.integer(3) === 0 ? undefined : pick(labels, ''),
    counterparty: random.integer(3) === 0 ? undefined : pick(names, ''),
  });
  const amount = () => pick([-1, -1, -1, 1], -1) * (1 + random.integer(pick([300, 9_000, 90_000], 1)));
  const send = async (accounts: readonly (string | undefined)[], size: number) => {
    const rows = Array.from({ length: size }, () => row(pick(accounts, accounts[0]), amount()));
    const moved = Array.from({ length: size / 10 }, () => {
      const out = { ...row(accounts[0], -pick([5_000, 20_000, 1 + random.integer(9_000)], 1)), category: undefined };
      const received = Date.parse(out.posted_at) + random.integer(6 * DAY);
      const posted_at = new Date(Math.min(received, now)).toISOString();
      return [
        out,
        {
          ...row(pick(accounts, accounts[0]), -out.amount_cents),
          currency: out.currency,
          posted_at,
          category: undefined,
        },
      ];
    });
    await ingestTransactions(context, { company_id, transactions: [...rows, ...moved.flat()] });
    for (const account of accounts)
      for (let i = 0; i < 6; i++)
        await upsertCashBalance(context, {
          company_id,
          as_of: new Date(now - random.integer(390) * DAY).toISOString().slice(0, 10),
          balance_cents: random.integer(5_000_000) - 500_000,
          currency: account === 'c' ? 'EUR' : 'USD',
          ...(account && { connection_id: account }),
        });
  };
  await send([old], 20);
  clock.set(new Date(now - random.integer(200) * DAY));
  await disconnectConnection(context, { connection_id: old });
  clock.set(new Date(now));
  const renewed = await connect(old);
  await send(['bank', renewed, ...others, undefined], 120);
  const rounds = Array.from({ length: 3 }, () => ({ ...row('bank', 4_000_000), category: undefined }));
  await ingestTransactions(context, { company_id, transactions: rounds });
  const some = () => Array.from({ length: 6 }, () => `t${1 + random.integer(count)}`);
  for (const flow_class of ['counted', 'financing', 'transfer', 'excluded'] as const)
    await changeRows(context, company_id, some(), { flow_class });
  await changeRows(context, company_id, some(), { voided: true });
  await updateSettings(context, {
    company_id,
    ...(random.integer(2) === 0 && { flow_rules: rules }),
    accounts: others.map((connection_id) => ({ connection_id, account_type: pick(types, 'depository') })),
    ...(random.integer(2) === 0 && { excluded_connections: [pick(['a', 'b', renewed, 'none'], 'a')] }),
    exclude_suspected_transfers: random.integer(4) !== 0,
  });
  return { company_id, timezone, disconnected: [old], replacing: [{ id: renewed, replaces: old }] };
}
