/** A year of a plausible small software company up to yesterday, the same on every run for the same day. */

interface DemoBalance {
  as_of: string;
  balance_cents: number;
  currency: string;
  source: string;
  connection_id: string;
}

interface DemoTransaction {
  external_id: string;
  posted_at: string;
  amount_cents: number;
  currency: string;
  description: string;
  category: string;
  counterparty: string;
  connection_id: string;
  source: string;
}

/** A complete month: what came in and went out by category, and the cash of both accounts before and after it. */
export interface DemoMonth {
  start: string;
  end: string;
  byCategory: Map<string, number>;
  opening: number;
  closing: number;
}

export interface DemoCompany {
  balances: DemoBalance[];
  transactions: DemoTransaction[];
  months: DemoMonth[];
}

type Account = 'operating' | 'savings';

/** Ids of the company's bank connections. */
export type DemoConnections = Readonly<Record<Account, string>>;

interface Template {
  category: string;
  counterparty: string;
  description: string;
  /** Cents, before the noise of ±`noise` parts and the growth per month. */
  amount: number;
  noise?: number;
  growth?: number;
  /** The days of the month on which it posts, or else the chance of each working day. */
  on: readonly number[] | number;
  /** Months after the first in which it begins. */
  from?: number;
  account?: Account;
}

const MONTHS = 12;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const STARTS: Readonly<Record<Account, number>> = { operating: 88_000_000, savings: 142_000_000 };
/** Days before today on which the savings account has a balance; earlier ones have one a week. */
const DAILY_SAVINGS_DAYS = 31;

const cost = (
  category: string,
  counterparty: string,
  description: string,
  amount: number,
  on: Template['on'],
  noise = 0,
): Template => ({ category, counterparty, description, amount: -amount, on, noise });

const invoice = (counterparty: string, amount: number, day: number, from = 0): Template => ({
  category: 'revenue',
  counterparty,
  description: `Invoice paid by ${counterparty}`,
  amount,
  noise: 0.12,
  on: [day],
  from,
});

const templates: readonly Template[] = [
  {
    category: 'revenue',
    counterparty: 'Card processor',
    description: 'Payout of card payments',
    amount: 298_000,
    noise: 0.35,
    growth: 0.022,
    on: 1,
  },
  invoice('Alder Health', 1_240_000, 4),
  invoice('Birch Logistics', 980_000, 6),
  invoice('Cedar Foods', 760_000, 9),
  invoice('Dune Energy', 1_420_000, 12, 2),
  invoice('Elm Publishing', 540_000, 14),
  invoice('Fjord Insurance', 1_180_000, 18, 4),
  invoice('Grove Pharmacies', 890_000, 21, 6),
  invoice('Harvest Retail', 1_310_000, 24, 8),
  cost('payroll', 'Payroll provider', 'Salaries', 8_150_000, [15, 28], 0.015),
  cost('payroll', 'Tax authority', 'Payroll tax', 1_840_000, [20], 0.04),
  cost('rent', 'Harbour Offices', 'Office rent', 780_000, [1]),
  { ...cost('hosting', 'Example Cloud', 'Cloud hosting', 860_000, [3], 0.08), growth: 0.018 },
  cost('payment_fees', 'Card processor', 'Fees of card payments', 184_000, [2], 0.1),
  cost('marketing', 'Search network', 'Ad campaigns', 310_000, [7, 17, 27], 0.25),
  cost('marketing', 'Trade weekly', 'Sponsored newsletter', 65_000, [11]),
  cost('contractors', 'Studio Lind', 'Design retainer', 620_000, [26]),
  cost('insurance', 'Mutual Insurance', 'Liability insurance', 95_000, [10]),
  cost('software', 'Issue tracker', 'Issue tracker, 24 seats', 48_000, [5]),
  cost('software', 'Mail service', 'Transactional email', 27_500, [8], 0.2),
  cost('software', 'CRM vendor', 'CRM subscription', 115_000, [13]),
  cost('software', 'Error monitor', 'Error monitoring', 19_900, [22]),
  cost('travel', 'Railway', 'Train to a customer', 18_600, 0.18, 0.5),
  cost('travel', 'Airline', 'Flights', 52_400, 0.12, 0.5),
  cost('meals', 'Canteen', 'Team lunch', 12_800, 0.45, 0.4),
  cost('bank_fees', 'Example Bank', 'Account fees', 3_900, [28]),
  {
    category: 'interest',
    counterparty: 'Example Bank',
    description: 'Interest',
    amount: 410_000,
    noise: 0.05,
    on: [25],
    account: 'savings',
  },
];

/** What the company moves from its savings in every third month; figures leave its category out. */
const funding = { amount: 15_000_000, day: 5, category: 'internal_transfer' };
/** Moved to the savings without such a category, so that it looks like income and spending. */
const reserve = { amount: 500_000, daysAgo: 3, category: 'reserve' };

/** A seeded generator (mulberry32): every demo has the same data. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

function isPosted(day: Date, month: number, { on, from = 0 }: Template, random: () => number): boolean {
  if (month < from) return false;
  if (typeof on !== 'number') return on.includes(day.getUTCDate());
  const weekend = day.getUTCDay() === 0 || day.getUTCDay() === 6;
  return !weekend && random() < on;
}

type Row = Pick<DemoTransaction, 'description' | 'counterparty' | 'category'>;

/** The two accounts, to which days are added. */
class Ledger {
  readonly company: DemoCompany = { balances: [], transactions: [], months: [] };
  readonly #connections: DemoConnections;
  readonly #cash = { ...STARTS };

  constructor(connections: DemoConnections) {
    this.#connections = connections;
  }

  post(account: Account, at: number, amount: number, row: Row): void {
    this.#cash[account] += amount;
    this.company.transactions.push({
      external_id: `demo-${this.company.transactions.length + 1}`,
      posted_at: new Date(at).toISOString(),
      amount_cents: amount,
      currency: 'USD',
      ...row,
      connection_id: this.#connections[account],
      source: 'demo_bank',
    });
    const month = this.company.months.at(-1);
    if (month === undefined) return;
    month.byCategory.set(row.category, (month.byCategory.get(row.category) ?? 0) + amount);
  }

  /** Moves an amount from the savings to the operating account; a negative one goes the other way. */
  move(at: number, amount: number, row: Omit<Row, 'counterparty'>): void {
    this.post('savings', at, -amount, { ...row, counterparty: 'Own account' });
    this.post('operating', at, amount, { ...row, counterparty: 'Own account' });
  }

  beginMonth(ms: number): void {
    const opening = this.#total();
    this.company.months.push({ start: dateOf(ms), end: '', byCategory: new Map(), opening, closing: opening });
  }

  endDay(ms: number, accounts: readonly Account[]): void {
    for (const account of accounts) {
      this.company.balances.push({
        as_of: dateOf(ms),
        balance_cents: this.#cash[account],
        currency: 'USD',
        source: 'demo_bank',
        connection_id: this.#connections[account],
      });
    }
    Object.assign(this.company.months.at(-1) ?? {}, { end: dateOf(ms), closing: this.#total() });
  }

  #total(): number {
    return this.#cash.operating + this.#cash.savings;
  }
}

/** Builds the twelve complete months before the month of `today` (UTC), and that month until yesterday. */
export function createDemoCompany(today: Date, connections: DemoConnections): DemoCompany {
  const random = createRandom(20_260_302);
  const end = Date.parse(dateOf(today.getTime()));
  const first = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - MONTHS, 1);
  const ledger = new Ledger(connections);
  const { company } = ledger;
  for (let ms = first; ms < end; ms += DAY_MS) {
    const day = new Date(ms);
    if (day.getUTCDate() === 1) ledger.beginMonth(ms);
    const month = company.months.length - 1;
    for (const template of templates) {
      if (!isPosted(day, month, template, random)) continue;
      const { amount, noise = 0, growth = 0, account = 'operating', category, counterparty, description } = template;
      const cents = Math.round(amount * (1 + noise * (2 * random() - 1)) * (1 + growth) ** month);
      const posted = ms + 8 * HOUR_MS + Math.floor(random() * 10 * HOUR_MS);
      ledger.post(account, posted, cents, { category, counterparty, description });
    }
    const at = ms + 9 * HOUR_MS;
    if (day.getUTCDate() === funding.day && month % 3 === 2) {
      ledger.move(at, funding.amount, { category: funding.category, description: 'Transfer from savings' });
    }
    if (end - ms === reserve.daysAgo * DAY_MS) {
      ledger.move(at, -reserve.amount, { category: reserve.category, description: 'Set aside for taxes' });
    }
    const isMonthEnd = new Date(ms + DAY_MS).getUTCDate() === 1;
    const hasSavings =
      day.getUTCDay() === 5 ||
      day.getUTCDate() === funding.day ||
      isMonthEnd ||
      end - ms <= DAILY_SAVINGS_DAYS * DAY_MS;
    ledger.endDay(ms, hasSavings ? ['operating', 'savings'] : ['operating']);
  }
  return { ...company, months: company.months.slice(0, MONTHS) };
}
