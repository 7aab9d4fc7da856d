/** More than a year of a small software company, up to yesterday; the same on every run of a day. */
import { type Account, type Template, templates } from './demo-templates.ts';

/** The operating account has two connections. */
export type DemoConnection = Account | 'operating_before';

interface DemoBalance {
  connection: DemoConnection;
  as_of: string;
  balance_cents: number;
  currency: string;
  source: string;
  account_type: 'depository' | 'credit_card';
}

interface DemoTransaction {
  connection: DemoConnection;
  external_id: string;
  posted_at: string;
  amount_cents: number;
  currency: string;
  description: string;
  category?: string;
  counterparty: string;
  source: string;
}

export interface DemoMonth {
  start: string;
  end: string;
  books: Map<string, number>;
  opening: Position;
  closing: Position;
}

/** Cash by account in US dollars, and the debt of the card. */
interface Position {
  cash: number;
  owed: number;
}

export interface DemoCompany {
  balances: DemoBalance[];
  transactions: DemoTransaction[];
  months: DemoMonth[];
}

/** A year and a month: the first month counts in no figure. */
const MONTHS = 13;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** In UTC: morning in New York, where the company is. */
const OPENING_HOUR = 13;
const STARTS: Readonly<Record<Account, number>> = {
  operating: 62_000_000,
  savings: 48_000_000,
  card: -1_760_000,
  berlin: 4_100_000,
};
/** Days with a balance per account; before them there is one a week. */
const DAILY_DAYS = 31;
/** Days since the operating account was connected again, and days that the bank sent again. */
const RECONNECTED = { daysAgo: 40, daysAgain: 60 };

/** Moved from the savings on the fifth of a month in which the operating account has less than `below`. */
const funding = { day: 5, below: 35_000_000, amount: 25_000_000 };
/** Moved to the savings without a category. */
const reserve = { amount: 500_000, daysAgo: 3 };
const berlin = { day: 2, amount: 2_150_000, received: 1_970_000 };
/** The first closing has a label, the second one has none. */
const raise = { month: 6, day: 12, amount: 240_000_000, saved: 200_000_000 };
const secondClosing = { month: MONTHS - 1, day: 19, amount: 100_000_000 };
const treasury = { month: MONTHS - 2, day: 9, amount: 15_000_000 };
const bill = { day: 18 };
const interest = { day: 25, rate: 0.0033 };

/** mulberry32, seeded: every demo has the same data. */
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
const currencyOf = (account: Account): string => (account === 'berlin' ? 'EUR' : 'USD');

function isPosted(day: Date, month: number, { on, from = 0 }: Template, random: () => number): boolean {
  if (month < from) return false;
  if (typeof on !== 'number') return on.includes(day.getUTCDate());
  const weekend = day.getUTCDay() === 0 || day.getUTCDay() === 6;
  return !weekend && random() < on;
}

interface Row {
  description: string;
  counterparty: string;
  category?: string;
  /** Key of the books; default: the category. Null for neither income nor cost. */
  book?: string | null;
}

class Ledger {
  readonly company: DemoCompany = { balances: [], transactions: [], months: [] };
  readonly cash = { ...STARTS };
  billed = 0;
  readonly #end: number;

  constructor(end: number) {
    this.#end = end;
  }

  post(account: Account, at: number, amount: number, { book, ...row }: Row): void {
    this.cash[account] += amount;
    const external_id = `demo-${this.company.transactions.length + 1}`;
    const common = {
      posted_at: new Date(at).toISOString(),
      amount_cents: amount,
      currency: currencyOf(account),
      ...row,
    };
    for (const [i, connection] of this.#connectionsOn(account, at).entries()) {
      // A bank that is connected again sends its rows with new ids.
      const id = i === 0 ? external_id : `${external_id}-again`;
      this.company.transactions.push({ connection, external_id: id, ...common, source: 'demo_bank' });
    }
    const key = book === undefined ? row.category : book;
    const books = this.company.months.at(-1)?.books;
    if (account !== 'berlin' && key != null) books?.set(key, (books.get(key) ?? 0) + amount);
  }

  move(from: Account, to: Account, at: number, amount: number, row: Omit<Row, 'counterparty'>): void {
    this.post(from, at, -amount, { book: null, ...row, counterparty: 'Own account' });
    this.post(to, at, amount, { book: null, ...row, counterparty: 'Own account' });
  }

  #connectionsOn(account: Account, at: number): DemoConnection[] {
    // A connection replaces another from the first day with rows.
    const daysAgo = Math.ceil((this.#end - at) / DAY_MS);
    if (account !== 'operating') return [account];
    return [
      ...(daysAgo > RECONNECTED.daysAgo ? (['operating_before'] as const) : []),
      ...(daysAgo <= RECONNECTED.daysAgo + RECONNECTED.daysAgain ? (['operating'] as const) : []),
    ];
  }

  beginMonth(ms: number): void {
    const position = this.#position();
    this.company.months.push({ start: dateOf(ms), end: '', books: new Map(), opening: position, closing: position });
  }

  endDay(ms: number): void {
    const next = new Date(ms + DAY_MS);
    const isMonthEnd = next.getUTCDate() === 1;
    const isWeekly = new Date(ms).getUTCDay() === 5 || isMonthEnd || this.#end - ms <= DAILY_DAYS * DAY_MS;
    const accounts: readonly Account[] = isWeekly ? ['operating', 'savings', 'card', 'berlin'] : ['operating'];
    for (const account of accounts) {
      const isNew = this.#end - ms <= RECONNECTED.daysAgo * DAY_MS;
      this.company.balances.push({
        connection: account === 'operating' && !isNew ? 'operating_before' : account,
        as_of: dateOf(ms),
        // The bank of the card sends the debt as a positive balance.
        balance_cents: account === 'card' ? 0 - this.cash.card : this.cash[account],
        currency: currencyOf(account),
        source: 'demo_bank',
        account_type: account === 'card' ? 'credit_card' : 'depository',
      });
    }
    if (isMonthEnd) this.billed = this.#position().owed;
    Object.assign(this.company.months.at(-1) ?? {}, { end: dateOf(ms), closing: this.#position() });
  }

  #position(): Position {
    return { cash: this.cash.operating + this.cash.savings, owed: 0 - this.cash.card };
  }
}

/** The complete months before the month of `today` (UTC), and that month until yesterday. */
export function createDemoCompany(today: Date): DemoCompany {
  const random = createRandom(20_260_302);
  const end = Date.parse(dateOf(today.getTime()));
  const first = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - MONTHS, 1);
  const ledger = new Ledger(end);
  const { company } = ledger;
  for (let ms = first; ms < end; ms += DAY_MS) {
    const day = new Date(ms);
    if (day.getUTCDate() === 1) ledger.beginMonth(ms);
    const month = company.months.length - 1;
    for (const template of templates) {
      if (!isPosted(day, month, template, random)) continue;
      const { amount, noise = 0, growth = 0, account = 'operating', category, counterparty, description } = template;
      const cents = Math.round(amount * (1 + noise * (2 * random() - 1)) * (1 + growth) ** month);
      const posted = ms + OPENING_HOUR * HOUR_MS + Math.floor(random() * 10 * HOUR_MS);
      ledger.post(account, posted, cents, { category, counterparty, description });
    }
    const at = ms + (OPENING_HOUR + 2) * HOUR_MS;
    moveMoney(ledger, at, month, day.getUTCDate());
    if (end - ms === reserve.daysAgo * DAY_MS) {
      ledger.move('operating', 'savings', at, reserve.amount, { description: 'Set aside for taxes' });
    }
    ledger.endDay(ms);
  }
  return { ...company, months: company.months.slice(0, MONTHS) };
}

/** Neither income nor cost: transfers, the card's bill, and the raise. */
function moveMoney(ledger: Ledger, at: number, month: number, day: number): void {
  const isOn = (one: { month: number; day: number }): boolean => month === one.month && day === one.day;
  const own = { category: 'internal_transfer' };
  const investor = { counterparty: 'Northlight Ventures', book: 'financing' };
  if (day === berlin.day) {
    const row = { ...own, description: 'Funding of Berlin', counterparty: 'Own account' };
    ledger.post('operating', at, -berlin.amount, { ...row, book: 'berlin' });
    ledger.post('berlin', at + 4 * HOUR_MS, berlin.received, row);
  }
  if (day === funding.day && ledger.cash.operating < funding.below && ledger.cash.savings > funding.amount) {
    ledger.move('savings', 'operating', at, funding.amount, { ...own, description: 'Transfer from savings' });
  }
  if (day === bill.day && ledger.billed > 0) {
    const row = { category: 'credit_card_payment', description: 'Card bill' };
    ledger.move('operating', 'card', at, ledger.billed, row);
  }
  if (day === interest.day) {
    const amount = Math.round(ledger.cash.savings * interest.rate);
    ledger.post('savings', at, amount, { category: 'interest', counterparty: 'Example Bank', description: 'Interest' });
  }
  if (isOn(raise)) {
    const description = 'Series A, first closing';
    ledger.post('operating', at, raise.amount, { ...investor, category: 'Series A', description });
  }
  if (isOn({ ...raise, day: raise.day + 2 })) {
    ledger.move('operating', 'savings', at, raise.saved, { ...own, description: 'Transfer to savings' });
  }
  if (isOn(secondClosing)) {
    ledger.post('savings', at, secondClosing.amount, { ...investor, description: 'Incoming wire' });
  }
  if (isOn(treasury)) {
    const row = { ...own, counterparty: 'Meridian Treasury', description: 'Transfer to the treasury account' };
    ledger.post('savings', at, -treasury.amount, { ...row, book: 'treasury' });
  }
}
