import { shiftDay, shiftMonth } from './own-dates.ts';
import type { RecomputeRules } from './rules-of.ts';

/** A row of a connection that is neither excluded nor replaced. */
interface RecomputedRow {
  id: string;
  account: string;
  at: number;
  /** In the company's time zone. */
  day: string;
  amount: number;
  currency: string;
  /** The one that applies. */
  category: string;
  postedCategory: string;
  counterparty: string;
  description: string;
  /** The class that a person gave it; '' for none. */
  given: string;
}

export type RecomputedClass = 'excluded' | 'counted' | 'transfer' | 'financing' | 'unclassified';

interface ClassifyInput {
  rows: readonly RecomputedRow[];
  rules: RecomputeRules;
  /** The first covered month. */
  coverageFrom: string | undefined;
  /** The instants at which a month begins and ends. */
  monthSpan: (month: string) => readonly [from: number, to: number];
  /** The day from which an account is replaced; undefined for none. */
  endOf: (account: string) => string | undefined;
}

const hours = 3_600_000;
const pairReach = 5 * 24 * hours;
/** A category as it is compared. */
export const words = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join('_');
const total = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + BigInt(amount), 0n);
const yearBefore = (day: string) => {
  const same = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;
  return same.endsWith('02-29') ? same.replace('02-29', '02-28') : same;
};

/** Classifies row by row, without sums: an independent implementation. */
export function recomputeClasses(input: ClassifyInput): Map<string, RecomputedClass> {
  const classes = new Map<string, RecomputedClass>();
  for (const row of input.rows) classes.set(row.id, classOfLabel(row, input));
  const afterLabels = new Map(classes);
  const open = new Set(input.rows.filter((row) => decided(row, input) === '').map(({ id }) => id));
  for (const id of cardTransfers(input).filter((one) => open.has(one))) classes.set(id, 'transfer');
  const paired = input.rules.pairs ? pairs(input, classes, afterLabels) : [];
  for (const id of paired) if (classes.get(id) !== 'excluded') classes.set(id, 'transfer');
  for (const id of unclassified(input, classes).filter((one) => open.has(one))) classes.set(id, 'unclassified');
  return classes;
}

const isSide = ({ account }: RecomputedRow, { rules }: ClassifyInput) =>
  rules.types[account] === 'investment' || rules.types[account] === 'restricted';
const isUncounted = (row: RecomputedRow, input: ClassifyInput) =>
  isSide(row, input) || input.rules.types[row.account] === 'loan';

function classOfLabel(row: RecomputedRow, input: ClassifyInput): RecomputedClass {
  const { category, amount } = row;
  const { rules } = input;
  if (isUncounted(row, input)) return 'excluded';
  const known = decided(row, input);
  if (known === 'financing') return amount > 0 ? 'financing' : 'counted';
  if (known !== '') return known;
  const label = words(category);
  if (rules.transfers.includes(label)) return 'transfer';
  return amount > 0 && rules.financing.includes(label) ? 'financing' : 'counted';
}

const spaced = (text: string) => text.normalize('NFKC').toLowerCase().split(/\s+/).join(' ');

type RuledRow = Pick<RecomputedRow, 'postedCategory' | 'counterparty' | 'description' | 'amount'>;

/** The rules whose text is in what was posted, in their order. */
const rulesFor = (row: RuledRow, { flowRules }: RecomputeRules) => {
  const text = spaced(`${row.postedCategory} ${row.counterparty} ${row.description}`);
  return flowRules.filter(
    ({ contains, direction }) =>
      text.includes(spaced(contains).trim()) &&
      (direction === undefined || (direction === 'in' ? row.amount > 0 : row.amount < 0)),
  );
};

/** The category by a person, else by the first rule that sets one, else the posted one; '' for none. */
export function recomputeCategory(row: RuledRow & { own: string }, rules: RecomputeRules): string {
  const byRule = rulesFor(row, rules).find(({ category }) => category !== undefined)?.category;
  return row.own || (byRule ?? row.postedCategory);
}

/** The class by a person, else by the first rule that sets one. */
function decided(row: RecomputedRow, { rules }: ClassifyInput): 'counted' | 'financing' | 'transfer' | 'excluded' | '' {
  const byRule = rulesFor(row, rules).find(({ flow_class }) => flow_class !== undefined)?.flow_class;
  const found = row.given || byRule;
  return found === 'counted' || found === 'financing' || found === 'transfer' || found === 'excluded' ? found : '';
}

const isCardPayment = (row: RecomputedRow, input: ClassifyInput) =>
  row.amount !== 0 && input.rules.cards.includes(words(row.category)) && !isUncounted(row, input);

function cardTransfers(input: ClassifyInput): string[] {
  const payments = input.rows.filter((row) => isCardPayment(row, input));
  const isPresent = (account: string, day: string) => {
    const known = payments.filter((row) => row.account === account && row.day <= day && row.day > yearBefore(day));
    const balance = known.reduce((count, { amount }) => count + Math.sign(amount), 0);
    const shows = input.rows.some((row) => row.account === account && row.day <= day && row.day >= shiftDay(day, -45));
    if (day >= (input.endOf(account) ?? '~')) return false;
    return (balance > 0 || input.rules.types[account] === 'credit_card') && shows;
  };
  const accounts = [...new Set(input.rows.map(({ account }) => account))];
  return payments
    .filter((row) =>
      accounts.some((account) => (row.amount > 0 || account !== row.account) && isPresent(account, row.day)),
    )
    .map(({ id }) => id);
}

function pairs(
  input: ClassifyInput,
  classes: ReadonlyMap<string, RecomputedClass>,
  afterLabels: ReadonlyMap<string, RecomputedClass>,
): string[] {
  const ofMonth = Map.groupBy(input.rows, ({ day, currency }) => `${day.slice(0, 7)} ${currency}`);
  const isLong = (month: string) => input.rows.filter(({ day }) => day.startsWith(month)).length > 1_000;
  const largerOf = new Map(
    [...ofMonth].map(([month, rows]) => {
      const counted = rows.filter(({ id }) => afterLabels.get(id) === 'counted').map(({ amount }) => amount);
      const [ins, outs] = [total(counted.filter((cents) => cents > 0)), -total(counted.filter((cents) => cents < 0))];
      return [month, ins > outs ? ins : outs];
    }),
  );
  const sides = input.rows.filter((row) => {
    const label = words(row.category);
    if (row.amount === 0 || classes.get(row.id) === 'financing') return false;
    if (!isUncounted(row, input) && !['', 'transfer'].includes(decided(row, input))) return false;
    if (isCardPayment(row, input) && classes.get(row.id) === 'counted') return false;
    const size = BigInt(Math.abs(row.amount)) * 1000n;
    if (isLong(row.day.slice(0, 7)) && size < (largerOf.get(`${row.day.slice(0, 7)} ${row.currency}`) ?? 0n))
      return false;
    if (isUncounted(row, input)) return isSide(row, input);
    const names = ['transfer', 'sweep', 'payout', 'deposit', 'withdrawal', 'savings', 'card_payment'];
    return row.category.trim() === '' || names.some((name) => label.includes(name));
  });
  const months = monthsOf(input.rows);
  const spans = months.map(input.monthSpan);
  const bounds = [...new Set(spans.flat())];
  // Pairs across the end of a month come first, from the rows near it.
  const over = bounds
    .flatMap((bound) =>
      matches(sides.filter(({ at }) => at >= bound - 2 * pairReach && at < bound + 2 * pairReach)).filter((pair) =>
        isOver(bound, pair),
      ),
    )
    .flat();
  const inside = spans.flatMap(([from, to]) =>
    matches(sides.filter((row) => row.at >= from && row.at < to && !over.includes(row))).flat(),
  );
  return [...over, ...inside].map(({ id }) => id);
}

type RecomputedPair = readonly [out: RecomputedRow, income: RecomputedRow];

function isOver(bound: number, [out, income]: RecomputedPair): boolean {
  return Math.min(out.at, income.at) < bound && Math.max(out.at, income.at) >= bound;
}

function matches(some: readonly RecomputedRow[]): RecomputedPair[] {
  const near = some.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  const used = new Set<RecomputedRow>();
  return near
    .filter(({ amount }) => amount < 0)
    .flatMap((out) => {
      const [match] = near
        .filter(
          (row) =>
            !used.has(row) &&
            row.amount === -out.amount &&
            row.currency === out.currency &&
            row.account !== out.account &&
            Math.abs(row.at - out.at) <= pairReach,
        )
        .sort((a, b) => Math.abs(a.at - out.at) - Math.abs(b.at - out.at) || a.at - b.at || (a.id < b.id ? -1 : 1));
      if (!match) return [];
      used.add(match);
      return [[out, match] as const];
    });
}

function unclassified(input: ClassifyInput, classes: ReadonlyMap<string, RecomputedClass>): string[] {
  const counted = input.rows.filter(({ id }) => classes.get(id) === 'counted');
  const sums = (month: string, currency: string) => {
    const own = counted.filter((row) => row.currency === currency && row.day.startsWith(month));
    return {
      in: total(own.filter(({ amount }) => amount > 0).map(({ amount }) => amount)),
      out: -total(own.filter(({ amount }) => amount < 0).map(({ amount }) => amount)),
    };
  };
  const name = ({ counterparty }: RecomputedRow) =>
    counterparty.normalize('NFKC').toLowerCase().split(/\s+/).filter(Boolean).join(' ');
  const isLarge = (row: RecomputedRow): boolean => {
    const month = row.day.slice(0, 7);
    const before = [-3, -2, -1]
      .map((back) => shiftMonth(month, back))
      .filter((one) => input.coverageFrom !== undefined && one >= input.coverageFrom)
      .map((one) => sums(one, row.currency));
    const own = sums(month, row.currency);
    const months = before.length > 0 ? before : [{ ...own, in: own.in - BigInt(row.amount) }];
    const out = months.reduce((sum, one) => sum + one.out, 0n);
    const ins = months.map((one) => one.in).sort((a, b) => (a < b ? -1 : 1));
    const twiceMedian = ins.length % 2 === 1 ? 2n * (ins[(ins.length - 1) / 2] ?? 0n) : (ins[0] ?? 0n) + (ins[1] ?? 0n);
    const amount = BigInt(row.amount);
    return out > 0n && 2n * amount > 5n * twiceMedian && 4n * amount * BigInt(months.length) > out;
  };
  const isCustomers = (row: RecomputedRow): boolean => {
    const month = row.day.slice(0, 7);
    const earlier = counted.filter(
      (other) =>
        other.amount > 0 &&
        name(other) === name(row) &&
        other.day.slice(0, 7) < month &&
        other.day.slice(0, 7) >= shiftMonth(month, -12),
    );
    return name(row) !== '' && monthsOf(earlier).length >= 2;
  };
  return counted
    .filter((row) => row.amount > 0 && !isCardPayment(row, input) && isLarge(row) && !isCustomers(row))
    .map(({ id }) => id);
}

const monthsOf = (rows: readonly RecomputedRow[]) => [...new Set(rows.map(({ day }) => day.slice(0, 7)))];
