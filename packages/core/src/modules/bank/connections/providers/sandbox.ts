import { createHash } from 'node:crypto';
import type { BankTransactionInput } from '@finhook/contracts';
import { addDays } from '../../../../time/calendar.ts';
import type { Provider, PulledBalance, PullRequest } from './provider.ts';

const OPENING_CENTS = 60_000_000;
const RENT_CENTS = 420_000;
/** Days of history before the connection: twelve months with a leap day. */
const HISTORY_DAYS = 367;

function pick(seed: string, low: number, high: number): number {
  const value = createHash('sha256').update(seed).digest().readUInt32BE(0);
  return low + (value % (high - low + 1));
}

const small = [
  ['software', 'Example Cloud', 'Cloud hosting'],
  ['travel', 'Example Air', 'Flights'],
  ['office', 'Paper & Sons', 'Office supplies'],
  ['meals', 'Corner Kitchen', 'Team lunch'],
] as const;

/** One day of a fictional company of a dozen people: rent, payroll, customers on Mondays, small spending. */
function transactionsOf(connectionId: string, day: string): BankTransactionInput[] {
  const rows: BankTransactionInput[] = [];
  const seed = `${connectionId}|${day}`;
  const add = (amount_cents: number, category: string, counterparty: string, description: string): void => {
    const external_id = `sandbox-${day}-${rows.length + 1}`;
    rows.push({
      external_id,
      posted_at: `${day}T12:00:00Z`,
      amount_cents,
      category,
      counterparty,
      description,
    });
  };
  const isMonday = new Date(`${day}T00:00:00Z`).getUTCDay() === 1;
  const dayOfMonth = day.slice(8);
  if (dayOfMonth === '01') add(-RENT_CENTS, 'rent', 'Harbour Offices', 'Office rent');
  if (dayOfMonth === '15' || dayOfMonth === '28') {
    add(-pick(`${seed}|payroll`, 3_000_000, 3_300_000), 'payroll', 'Payroll', 'Salaries');
  }
  if (isMonday) add(pick(`${seed}|sales`, 900_000, 1_600_000), 'revenue', 'Card processor', 'Customer payments');
  const kind = small[pick(`${seed}|kind`, 0, small.length * 2 - 1)];
  if (kind) add(-pick(`${seed}|small`, 2_000, 45_000), kind[0], kind[1], kind[2]);
  return rows;
}

/** Derived from the connection's id, a month per page. Each balance is the previous one plus the transactions since. */
export const sandbox: Provider = {
  takesUrl: false,
  async pull(_core, request) {
    const { connectionId, connectedOn, from, until } = request;
    const month = request.cursor ?? from.slice(0, 7);
    const currency = request.currency ?? 'USD';
    const balances: PulledBalance[] = [];
    const transactions: BankTransactionInput[] = [];
    let sum = OPENING_CENTS;
    let next: string | null = null;
    const historyFrom = addDays(connectedOn, -HISTORY_DAYS);
    for (let day = historyFrom; day < until; day = addDays(day, 1)) {
      const rows = transactionsOf(connectionId, day);
      sum += rows.reduce((total, row) => total + row.amount_cents, 0);
      if (day < from || day.slice(0, 7) < month) continue;
      if (day.slice(0, 7) > month) {
        next = day.slice(0, 7);
        break;
      }
      transactions.push(...rows.map((row) => ({ ...row, currency })));
      if (isBalanceDay(day, request)) balances.push({ as_of: day, balance_cents: sum, currency });
    }
    const rejections = { count: 0, first: null };
    return { ok: true, page: { balances, transactions, rejections, rejectedTransactions: 0, historyFrom, next } };
  },
};

function isBalanceDay(day: string, { until }: PullRequest): boolean {
  return addDays(day, 1) === until || new Date(`${day}T00:00:00Z`).getUTCDay() === 0;
}
