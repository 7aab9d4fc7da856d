import { formatMoney } from '@finhook/contracts/currency';
import { accountName, type NamedConnection } from '../../lib/connection-names.ts';
import { type Amount, amountIn, bigOf } from '../../lib/exact-cents.ts';
import { formatDays } from '../../lib/format-time.ts';
import { plural, someOf } from '../../lib/text.ts';
import type { Outputs } from '../../lib/trpc.ts';
import { dayAfter, daysBetween } from '../../lib/zoned-time.ts';

type OnHand = Outputs['cash']['onHand'];
type CashLine = OnHand['lines'][number];
type History = Outputs['cash']['history'];

export const CHANGE_DAYS = 30;

/** The line of the main figure: the total, else that of the base currency or the first one. */
export function mainCash({ total, lines }: OnHand): CashLine | undefined {
  return total ?? lines[0];
}

/** The lines below the main figure: each currency of a total, or the currencies that it does not contain. */
export function otherCash({ total, lines }: OnHand): readonly CashLine[] {
  return total === null ? lines.slice(1) : lines.length > 1 ? lines : [];
}

/** `As of 2 Mar 2026`, or `As of 21–27 Nov 2026`. */
export function asOfText({ oldest_as_of, newest_as_of }: CashLine): string {
  return `As of ${formatDays(oldest_as_of, newest_as_of)}`;
}

/** Change of the cash of one currency in 30 days; undefined without a balance 30 days ago. */
export function cashChange({ lines, to }: History, currency: string): bigint | undefined {
  const points = lines.find((line) => line.currency === currency)?.points ?? [];
  const [first, last] = [points.find(({ date }) => date === dayAfter(to, -CHANGE_DAYS)), points.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return bigOf(last.balance_cents, last.balance_string) - bigOf(first.balance_cents, first.balance_string);
}

/** The sum of the balances of one account type other than `depository`, in one currency. */
export interface NonDepositoryBalance extends Amount {
  name: 'Investments' | 'Restricted' | 'Owed on cards' | 'Owed on loans';
  note: string;
  currency: string;
}

const besides = [
  ['restricted', 'Restricted', 'not part of cash'],
  ['credit_card', 'Owed on cards', 'not part of cash'],
  ['loan', 'Owed on loans', 'not part of cash'],
] as const;

/** Investments, which are a part of the cash, and what is no cash: restricted money and debts. */
export function nonDepositoryBalances({ lines, excluded }: OnHand): NonDepositoryBalance[] {
  const investments = lines.flatMap((line): NonDepositoryBalance[] => {
    const amount = amountIn(line, 'investment');
    if (bigOf(amount.cents, amount.digits) === 0n) return [];
    return [{ name: 'Investments', note: 'part of cash', currency: line.currency, ...amount }];
  });
  const others = besides.flatMap(([reason, name, note]) => {
    const sums = new Map<string, bigint>();
    for (const account of excluded) {
      if (account.reason !== reason) continue;
      const cents = reason === 'restricted' ? account.balance_cents : (account.owed_cents ?? 0);
      sums.set(account.currency, (sums.get(account.currency) ?? 0n) + BigInt(cents));
    }
    return [...sums].map(
      ([currency, sum]): NonDepositoryBalance => ({ name, note, currency, cents: null, digits: `${sum}` }),
    );
  });
  return [...investments, ...others];
}

/** The text of the tile without a figure. */
export function noCashText(isExcluded: boolean, isDissolved: boolean): string {
  if (isExcluded) return 'All balances are excluded.';
  if (isDissolved) return 'The company is dissolved and has no balances.';
  return 'No balance yet. Post one or connect a bank.';
}

const FEW_STALE = 2;

/** The accounts with an old balance by their names; many in one sentence. */
function staleTexts({ streams, as_of }: OnHand, names: ReadonlyMap<string, NamedConnection>): string[] {
  const stale = streams.filter(({ freshness }) => freshness === 'stale');
  const nameOf = (id: string | null) => accountName(names, id);
  if (stale.length > FEW_STALE)
    return [
      `Old balances of ${plural(stale.length, 'account')}: ${someOf(stale.map((one) => nameOf(one.connection_id)))}.`,
    ];
  return stale.map(({ connection_id, as_of: day }) => {
    const days = daysBetween(day, as_of);
    return `${nameOf(connection_id)} is ${days > 0 ? `${plural(days, 'day')} old` : 'several hours old'}.`;
  });
}

/** The accounts that are left out, each with its reason. */
function excludedTexts({ excluded }: OnHand, names: ReadonlyMap<string, NamedConnection>): string[] {
  const named = (reason: string): string[] =>
    excluded
      .filter((series) => series.reason === reason)
      .map(({ connection_id: id }) => {
        const name = accountName(names, id);
        if (reason !== 'disconnected' || id === null) return name;
        const follower = [...names.values()].find(({ replaces }) => replaces === id);
        return follower === undefined ? `${name} (disconnected)` : `${name} (replaced by ${follower.name})`;
      });
  const [ended, chosen] = [named('disconnected'), named('user')];
  return [
    ...(ended.length > 0 ? [`Excluded: ${someOf(ended)}.`] : []),
    ...(chosen.length > 0 ? [`Excluded in settings: ${someOf(chosen)}.`] : []),
  ];
}

export function cashCautions(cash: OnHand, names: ReadonlyMap<string, NamedConnection>): string[] {
  const { lines, warnings } = cash;
  const cautions = staleTexts(cash, names);
  for (const line of lines) {
    if (bigOf(line.balance_cents, line.balance_string) < 0n)
      cautions.push(`The ${line.currency} balance is overdrawn.`);
  }
  cautions.push(...warnings.map(({ message }) => message));
  cautions.push(...excludedTexts(cash, names));
  return cautions;
}

export function spokenCash({ lines, total, excluded }: OnHand): string {
  if (lines.length === 0) return `Cash on hand: ${excluded.length > 0 ? 'all balances excluded' : 'no balance yet'}`;
  const shown = total === null || lines.length === 1 ? lines : [total];
  const amounts = shown.map((line) => formatMoney(bigOf(line.balance_cents, line.balance_string), line.currency));
  return `Cash on hand: ${amounts.join(', ')}`;
}
