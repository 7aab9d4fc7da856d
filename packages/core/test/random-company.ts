import type { AccountType } from '@finhook/contracts';
import { createTestRandom, type TestClock, type TestRandom } from '@finhook/testing';
import { createConnection } from '../src/modules/bank/connections/create.ts';
import { disconnectConnection } from '../src/modules/bank/connections/disconnect.ts';
import { ingestTransactions } from '../src/modules/bank/transactions/ingest.ts';
import { upsertCashBalance } from '../src/modules/cash/balances/upsert.ts';
import { createCompany } from '../src/modules/companies/create.ts';
import { updateSettings } from '../src/modules/financials/figures/settings.ts';
import type { Context } from '../src/verbs/context.ts';
import { changeRows } from './change-rows.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DAYS = 430;
const zones = ['Pacific/Auckland', 'America/New_York', 'UTC', 'Asia/Tokyo', 'Europe/Berlin'] as const;
const types: readonly AccountType[] = ['depository', 'investment', 'restricted', 'credit_card', 'loan'];
/** Categories that classify rows, that let rows pair, and that do neither. */
const labels = 'internal_transfer,Series A,loan_proceeds,credit_card_payment,Transfer,payout,deposit,rent,payroll,,,,,,'
  .split(',')
  .map((label) => label || undefined);
const names = ['Acme  GmbH', 'ACME gmbh', 'Landlord', 'Brex', ...Array<undefined>(4)];
const texts = ['ACH  BREX CARD PMT', 'Stripe payout', 'Wire to founder', 'Invoice 7', ...Array<undefined>(2)];

const rules: NonNullable<Parameters<typeof updateSettings>[1]['flow_rules']> = [
  { contains: 'brex card', direction: 'out', flow_class: 'transfer' },
  { contains: 'acme gmbh', flow_class: 'financing' },
  { contains: 'wire to founder', flow_class: 'counted' },
  { contains: 'landlord', direction: 'in', flow_class: 'excluded' },
  { contains: 'brex', category: 'Credit card payment' },
  { contains: 'payroll', category: 'Internal transfer' },
  { contains: 'invoice 7', direction: 'in', category: 'Series A' },
  { contains: 'stripe payout', flow_class: 'counted', category: 'Sales' },
];

interface HistoryRow {
  external_id: string;
  posted_at: string;
  amount_cents: number;
  currency: string;
  connection_id?: string;
  category?: string;
  counterparty?: string;
  description?: string;
}

/** An undefined id stands for rows without a connection. */
interface RowAccount {
  id: string | undefined;
  currency: string;
}

function pick<T>(random: TestRandom, items: readonly T[]): T {
  return items[random.integer(items.length)] as T;
}

/**
 * Rows of fourteen months up to three days after `until`, of which each step of the figures classifies some: labels, payments
 * of cards, pairs and chains of equal amounts across the ends of months, and large inflows. `begins` is by account, in ms.
 */
export function randomHistory(
  random: TestRandom,
  until: number,
  accounts: readonly RowAccount[],
  begins: ReadonlyMap<string | undefined, number> = new Map(),
) {
  const below = (limit: number): number => random.integer(limit);
  const anyTime = (): number => until + 3 * DAY - below((DAYS + 3) * 24) * HOUR;
  const nearMonthEnd = (): number => {
    const at = new Date(anyTime());
    return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1) + (below(12 * 24) - 6 * 24) * HOUR;
  };
  const rows: HistoryRow[] = [];
  const add = (account: RowAccount, at: number, amount_cents: number, category = pick(random, labels)): void => {
    const [counterparty, description] = [pick(random, names), pick(random, texts)];
    if (at < (begins.get(account.id) ?? 0)) return;
    rows.push({
      external_id: `t${rows.length}`,
      posted_at: new Date(at).toISOString(),
      amount_cents,
      currency: account.currency,
      ...(account.id !== undefined && { connection_id: account.id }),
      ...(category !== undefined && { category }),
      ...(counterparty !== undefined && { counterparty }),
      ...(description !== undefined && { description }),
    });
  };
  const any = () => pick(random, accounts);
  for (let i = 0; i < 220; i++) add(any(), anyTime(), below(5) === 0 ? below(40_000) : -below(90_000));
  for (let i = 0; i < 60; i++) {
    const amount = pick(random, [100_000, 250_000, 70_000]);
    const at = pick(random, [nearMonthEnd, anyTime])();
    const out = any();
    add(out, at, -amount);
    // Some have the amount of a transfer in another currency.
    add(below(6) === 0 ? any() : { ...any(), currency: out.currency }, at + below(6 * 24) * HOUR, amount);
  }
  for (let month = 0; month < DAYS / 30; month++) {
    const at = until - month * 30 * DAY;
    if (below(3) > 0) add(any(), at, -50_000 - month, 'credit_card_payment');
    if (below(3) > 0) add(any(), at + DAY, 50_000 + month, 'Credit Card Payment');
  }
  for (let i = 0; i < 8; i++)
    add(any(), anyTime(), 2_000_000 + below(9) * 1_000_000, pick(random, [undefined, 'sales']));
  return rows;
}

export interface RandomCompany {
  company_id: string;
  timezone: string;
  disconnected: string[];
  replacing: { id: string; replaces: string }[];
}

type Hook = (company: { companyId: string; timezone: string }) => Promise<unknown>;

interface Hooks {
  /** After the first rows. */
  beforeSettings?: Hook;
  /** Before the last rows, which have those of the connection that was connected again. */
  afterSettings?: Hook;
}

/**
 * Fills a company of the base currency USD with rows and balances of fourteen months up to the clock's time: accounts of any
 * type that begin at any time, also in EUR, of which one may be excluded and one was connected again, rows that a person
 * classified, categorized or voided, and rules if the seed is odd. With an even seed the account `a` is a credit card; with a multiple
 * of 3, the rows without a connection are excluded.
 */
export async function fillRandomCompany(
  context: Context,
  clock: TestClock,
  seed: number,
  { beforeSettings, afterSettings }: Hooks = {},
): Promise<RandomCompany> {
  const random = createTestRandom(seed);
  const now = clock.now().getTime();
  const timezone = zones[seed % zones.length] ?? 'UTC';
  const { id: company_id } = await createCompany(context, { name: `Any ${seed} Inc`, timezone, base_currency: 'USD' });
  const connect = async (replaces?: string) =>
    (await createConnection(context, { company_id, provider: 'ledger', ...(replaces && { replaces }) })).id;
  const begins = new Map<string | undefined, number>([['bank', 0]]);
  const send = async (ids: readonly (string | undefined)[], prefix = '', from = 0) => {
    const accounts = ids.flatMap((id) => ['USD', 'USD', 'USD', 'USD', 'EUR'].map((currency) => ({ id, currency })));
    for (const id of ids) {
      const begin = now - (390 - random.integer(random.integer(3) === 0 ? 330 : 40)) * DAY;
      if (!begins.has(id)) begins.set(id, begin);
    }
    const rows = randomHistory(random, now, accounts, begins).slice(from);
    const transactions = rows.map((row) => ({ ...row, external_id: `${prefix}${row.external_id}` }));
    await ingestTransactions(context, { company_id, transactions });
    for (const id of ids)
      for (let i = 0; i < 6; i++)
        await upsertCashBalance(context, {
          company_id,
          as_of: new Date(now - random.integer(390) * DAY).toISOString().slice(0, 10),
          balance_cents: random.integer(5_000_000) - 500_000,
          currency: id === 'c' ? 'EUR' : 'USD',
          ...(id && { connection_id: id }),
        });
  };
  const old = await connect();
  const others = ['a', 'b', 'c', 'd'];
  await send([old, 'bank', ...others, undefined]);
  await beforeSettings?.({ companyId: company_id, timezone });
  const some = () => Array.from({ length: 12 }, () => `t${random.integer(300)}`);
  for (const flow_class of ['counted', 'financing', 'transfer', 'excluded', null] as const)
    await changeRows(context, company_id, some(), { flow_class });
  for (const own_category of ['rent', 'Transfer', 'credit_card_payment', 'Series A', 'internal_transfer', null])
    await changeRows(context, company_id, some(), { own_category });
  await changeRows(context, company_id, some(), { voided: true });
  await changeRows(context, company_id, some(), { amount_cents: -12_345, category: 'payout' });
  clock.set(new Date(now - random.integer(200) * DAY));
  await disconnectConnection(context, { connection_id: old });
  clock.set(new Date(now));
  const renewed = await connect(old);
  await updateSettings(context, {
    company_id,
    ...(seed % 2 === 1 && { flow_rules: rules }),
    ...(seed % 4 === 3 && { excluded_categories: ['Rent', 'internal_transfer', 'credit_card_payment'] }),
    accounts: others.map((connection_id) => {
      const account_type = pick(random, types);
      return { connection_id, account_type: seed % 2 === 0 && connection_id === 'a' ? 'credit_card' : account_type };
    }),
    ...((seed % 3 === 0 || random.integer(2) === 0) && {
      excluded_connections: [seed % 3 === 0 ? 'none' : pick(random, ['a', 'b', renewed, 'none'])],
    }),
    exclude_suspected_transfers: random.integer(4) !== 0,
  });
  await afterSettings?.({ companyId: company_id, timezone });
  // So few that a read sums them itself.
  await send([renewed, 'bank', 'a'], 'later-', 150);
  return { company_id, timezone, disconnected: [old], replacing: [{ id: renewed, replaces: old }] };
}
