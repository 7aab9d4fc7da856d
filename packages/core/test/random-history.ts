import type { TestRandom } from '@finhook/testing';

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

interface HistoryAccount {
  /** Undefined for rows without a connection. */
  id: string | undefined;
  currency: string;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Labels that decide something, that let rows pair, and that do neither. */
const labels = 'internal_transfer,Series A,loan_proceeds,credit_card_payment,Transfer,payout,deposit,rent,payroll,,,,,,'
  .split(',')
  .map((label) => label || undefined);
const names = ['Acme  GmbH', 'ACME gmbh', 'Landlord', 'Brex', ...Array<undefined>(4)];
const texts = ['ACH  BREX CARD PMT', 'Stripe payout', 'Wire to founder', 'Invoice 7', ...Array<undefined>(2)];

/**
 * Rows of the `days` before `until`, and of some days after it, of which each step of the figures decides some: labels, bills
 * of cards, pairs and chains of equal amounts over the ends of months, money in that is far more than usual.
 */
export function randomHistory(
  random: TestRandom,
  until: number,
  accounts: readonly HistoryAccount[],
  days = 430,
): HistoryRow[] {
  const below = (limit: number): number => random.integer(limit);
  const pick = <T>(items: readonly T[]): T => {
    const item = items[below(items.length)];
    if (item === undefined && items.length === 0) throw new Error('There is nothing to pick from.');
    return item as T;
  };
  const anyTime = (): number => until + 3 * DAY - below((days + 3) * 24) * HOUR;
  const nearMonthEnd = (): number => {
    const at = new Date(anyTime());
    return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1) + (below(12 * 24) - 6 * 24) * HOUR;
  };
  const rows: HistoryRow[] = [];
  const add = (account: HistoryAccount, at: number, amount_cents: number, category = pick(labels)): void => {
    const [counterparty, description] = [pick(names), pick(texts)];
    rows.push({
      external_id: `t${rows.length}`,
      posted_at: new Date(at).toISOString(),
      amount_cents,
      currency: account.currency,
      ...(account.id === undefined ? {} : { connection_id: account.id }),
      ...(category === undefined ? {} : { category }),
      ...(counterparty === undefined ? {} : { counterparty }),
      ...(description === undefined ? {} : { description }),
    });
  };
  for (let i = 0; i < 220; i++) add(pick(accounts), anyTime(), below(5) === 0 ? below(40_000) : -below(90_000));
  for (let i = 0; i < 60; i++) {
    const amount = pick([100_000, 250_000, 70_000]);
    const at = pick([nearMonthEnd, anyTime])();
    add(pick(accounts), at, -amount);
    add(pick(accounts), at + below(6 * 24) * HOUR, amount);
  }
  for (let month = 0; month < days / 30; month++) {
    const [bank, card] = [pick(accounts), pick(accounts)];
    const at = until - month * 30 * DAY;
    if (below(3) > 0) add(bank, at, -50_000 - month, 'credit_card_payment');
    if (below(3) > 0) add(card, at + DAY, 50_000 + month, 'Credit Card Payment');
  }
  for (let i = 0; i < 8; i++)
    add(pick(accounts), anyTime(), 2_000_000 + below(9) * 1_000_000, pick([undefined, 'sales']));
  return rows;
}
