/** Twelve months of a plausible small software company, the same on every run for the same day. */

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

export interface DemoCompany {
  balances: DemoBalance[];
  transactions: DemoTransaction[];
  /** The last complete month: first day, last day, and what came in and went out in it. */
  lastMonth: { start: string; end: string; revenue: number; costs: number; opening: number; closing: number };
}

interface Template {
  category: string;
  counterparty: string;
  description: string;
  /** Cents, before the noise of ±`noise` parts. */
  amount: number;
  noise: number;
  /** Days of the month on which it posts; empty means any working day with this chance. */
  days?: readonly number[];
  chance?: number;
}

const OPERATING = 'operating';
const SAVINGS = 'savings';
const MONTHS = 12;
const DAY_MS = 86_400_000;
const SAVINGS_START = 60_000_000;
const OPERATING_START = 85_000_000;

const templates: readonly Template[] = [
  {
    category: 'payroll',
    counterparty: 'Payroll',
    description: 'Salaries',
    amount: -6_850_000,
    noise: 0.02,
    days: [15, 28],
  },
  {
    category: 'rent',
    counterparty: 'Harbour Offices',
    description: 'Office rent',
    amount: -780_000,
    noise: 0,
    days: [1],
  },
  {
    category: 'payroll_tax',
    counterparty: 'Tax authority',
    description: 'Payroll tax',
    amount: -1_540_000,
    noise: 0.05,
    days: [20],
  },
  {
    category: 'software',
    counterparty: 'Example Cloud',
    description: 'Cloud hosting',
    amount: -420_000,
    noise: 0.15,
    days: [3],
  },
  {
    category: 'insurance',
    counterparty: 'Mutual Insurance',
    description: 'Liability insurance',
    amount: -95_000,
    noise: 0,
    days: [10],
  },
  {
    category: 'revenue',
    counterparty: 'Customer',
    description: 'Invoice paid',
    amount: 265_000,
    noise: 0.6,
    chance: 2.6,
  },
  {
    category: 'software',
    counterparty: 'Tool vendor',
    description: 'Subscription',
    amount: -9_900,
    noise: 0.8,
    chance: 1.1,
  },
  { category: 'travel', counterparty: 'Airline', description: 'Travel', amount: -48_000, noise: 0.7, chance: 0.35 },
  { category: 'meals', counterparty: 'Restaurant', description: 'Team lunch', amount: -8_500, noise: 0.6, chance: 0.7 },
  { category: 'fees', counterparty: 'Bank', description: 'Card fees', amount: -3_200, noise: 0.5, chance: 0.8 },
];

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

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function postings(day: Date, template: Template, random: () => number): number {
  if (template.days) return template.days.includes(day.getUTCDate()) ? 1 : 0;
  const weekend = day.getUTCDay() === 0 || day.getUTCDay() === 6;
  if (weekend) return 0;
  const expected = template.chance ?? 0;
  return Math.floor(expected) + (random() < expected % 1 ? 1 : 0);
}

/** Builds the year that ends on the day before `today` (UTC). */
export function createDemoCompany(today: Date): DemoCompany {
  const random = createRandom(20_260_302);
  const end = Date.parse(dateOf(today.getTime()));
  const first = new Date(end);
  first.setUTCMonth(first.getUTCMonth() - MONTHS);
  const lastMonthEnd = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 0);
  const lastMonthStart = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 1);
  const company: DemoCompany = {
    balances: [],
    transactions: [],
    lastMonth: {
      start: dateOf(lastMonthStart),
      end: dateOf(lastMonthEnd),
      revenue: 0,
      costs: 0,
      opening: 0,
      closing: 0,
    },
  };
  let operating = OPERATING_START;
  for (let ms = first.getTime(); ms < end; ms += DAY_MS) {
    if (ms === lastMonthStart) company.lastMonth.opening = operating;
    for (const template of templates) {
      for (let n = postings(new Date(ms), template, random); n > 0; n--) {
        const amount = Math.round(template.amount * (1 + template.noise * (2 * random() - 1)));
        operating += amount;
        addTransaction(company, template, amount, ms + Math.floor(random() * 10 * 3_600_000) + 8 * 3_600_000);
        if (ms >= lastMonthStart && ms <= lastMonthEnd) addToMonth(company, amount);
      }
    }
    if (ms === lastMonthEnd) company.lastMonth.closing = operating;
    company.balances.push(balanceOf(ms, operating, OPERATING));
    if (new Date(ms).getUTCDay() === 5) company.balances.push(balanceOf(ms, SAVINGS_START, SAVINGS));
  }
  return company;
}

function addToMonth({ lastMonth }: DemoCompany, amount: number): void {
  if (amount > 0) lastMonth.revenue += amount;
  else lastMonth.costs -= amount;
}

function addTransaction(company: DemoCompany, template: Template, amount: number, at: number): void {
  company.transactions.push({
    external_id: `demo-${company.transactions.length + 1}`,
    posted_at: new Date(at).toISOString(),
    amount_cents: amount,
    currency: 'USD',
    description: template.description,
    category: template.category,
    counterparty: template.counterparty,
    connection_id: OPERATING,
    source: 'demo_bank',
  });
}

function balanceOf(ms: number, cents: number, connection: string): DemoBalance {
  return { as_of: dateOf(ms), balance_cents: cents, currency: 'USD', source: 'demo_bank', connection_id: connection };
}
