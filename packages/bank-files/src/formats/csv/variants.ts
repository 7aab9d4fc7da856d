import type { Step } from '../../step.ts';
import type { DecimalMark } from '../../values.ts';
import { centsOf } from './amounts.ts';
import type { RowOrder } from './mapping.ts';
import type { CsvRows, Part } from './rows.ts';
import { applyRule, haveOneDirection, isZero, type RowCents, readRowCents, type SignRule, signRules } from './signs.ts';

export interface Variant {
  decimal: DecimalMark;
  order: RowOrder;
  rule: SignRule;
  sign: 'in' | 'out';
  /** The fee is charged in addition to the amount. */
  takesFee: boolean;
  amounts: ReadonlyArray<{ cents: number; balance?: number; balanceError?: string } | { error: string }>;
}

export interface Open {
  decimals: readonly DecimalMark[];
  orders: readonly RowOrder[];
  /** The order by days, or that of the rows. */
  datedOrder: readonly RowOrder[];
  signs: ReadonlyArray<Variant['sign']>;
  fees: readonly boolean[];
  inverted: boolean | undefined;
}

export interface Keyed {
  rows: CsvRows;
  keys: readonly string[];
  currencies: readonly string[];
  isUnsigned: (part: Part) => boolean;
}

const MAX_VARIANTS = 8;

/** The variants that running balances prove, else those that they leave open, else those that need no proof. */
export function findVariants(keyed: Keyed, open: Open, step: Step): Variant[] {
  const { rows } = keyed.rows;
  const canProve = rows.some(({ balance }) => balance !== undefined);
  const [first, ...others] = signRules(rows, { inverted: open.inverted, canProve });
  if (first === undefined) return [];
  const cents = new Map(open.decimals.map((decimal) => [decimal, centsOfRows(keyed, decimal, step)]));
  const judgeRule = (rule: SignRule) => {
    const judged = variantsOf(
      keyed,
      { open: rule.needsProof ? { ...open, orders: open.datedOrder } : open, rule, cents },
      step,
    );
    return {
      proved: judged.filter(
        ({ verdict, proofs }) => verdict === 'proved' && (!rule.needsProof || isConclusive(proofs)),
      ),
      open: judged.filter(({ verdict }) => verdict === 'open'),
      all: judged,
    };
  };
  const written = judgeRule(first);
  const lists = [written.proved, written.open];
  const found = lists.find((list) => list.length > 0);
  const proved =
    found === undefined ? others.map((rule) => judgeRule(rule).proved).filter((list) => list.length > 0) : [];
  // Order matters for balances only, and none is stored of a contradicted file.
  const contradicted = written.all.filter(({ variant }) => variant.order === open.orders[0]);
  const chosen = found ?? (proved.length === 1 ? proved[0] : undefined) ?? contradicted;
  return chosen.slice(0, MAX_VARIANTS).map(({ variant }) => variant);
}

/** One balance may match by chance, or be the one before its row. */
function isConclusive({ minus, plain }: Judged['proofs']): boolean {
  return minus > 1 && plain > 1;
}

type Cents = ReadonlyArray<{ value: RowCents } | { error: string }>;

function centsOfRows({ rows: { rows }, currencies }: Keyed, decimal: DecimalMark, step: Step): Cents {
  step(2 * rows.length);
  const fees = rows.flatMap(({ fee }) => (fee !== undefined && !isZero(fee) ? [fee] : []));
  // A minus on all fees repeats the meaning of their column.
  const isRepeated = fees.length > 0 && fees.every(({ isNegative }) => isNegative);
  return rows.map((row, i) => {
    const fee = row.fee && isRepeated ? { ...row.fee, isNegative: false } : row.fee;
    return readRowCents({ ...row, ...(fee ? { fee } : {}) }, currencies[i] ?? '', decimal);
  });
}

interface Judged {
  variant: Variant;
  verdict: 'proved' | 'open' | 'contradicted';
  /** Rows that explain the next balance, with and without a minus. */
  proofs: { minus: number; plain: number };
}

function variantsOf(
  keyed: Keyed,
  { open, rule, cents }: { open: Open; rule: SignRule; cents: ReadonlyMap<DecimalMark, Cents> },
  step: Step,
): Judged[] {
  const mayTurn = !haveOneDirection(keyed.rows.rows, keyed.isUnsigned);
  return open.decimals.flatMap((decimal) =>
    open.fees.flatMap((takesFee) =>
      open.orders.flatMap((order) =>
        open.signs.map((sign) => {
          const variant = { decimal, order, rule, sign, takesFee };
          return judge(keyed, cents.get(decimal) ?? [], { variant, mayTurn }, step);
        }),
      ),
    ),
  );
}

function judge(
  keyed: Keyed,
  cents: Cents,
  { variant, mayTurn }: { variant: Omit<Variant, 'amounts'>; mayTurn: boolean },
  step: Step,
): Judged {
  const { rows } = keyed.rows;
  const { rule, order, sign, takesFee } = variant;
  const balances = openingBalances(keyed, variant.decimal, order);
  const amounts: Array<Variant['amounts'][number]> = rows.map(() => ({ error: '' }));
  const proofs = { minus: 0, plain: 0 };
  let [hasProof, isContradicted] = [false, false];
  for (const n of rows.keys()) {
    step(3);
    const i = order === 'newest-first' ? rows.length - 1 - n : n;
    const [row, read, key = ''] = [rows[i], cents[i], keyed.keys[i]];
    if (row === undefined || read === undefined) continue;
    if ('error' in read) {
      amounts[i] = read;
      continue;
    }
    const { known, open } = applyRule(row, read.value, rule, keyed.isUnsigned);
    const fixed = known - (takesFee ? read.value.fee : 0);
    const before = balances.get(key);
    const { balance: after, balanceError } = read.value;
    const direction = sign === 'in' ? 1 : -1;
    const total = fixed + direction * open;
    const isOther =
      before !== undefined &&
      after !== undefined &&
      before + total !== after &&
      before + fixed - direction * open === after;
    const isTurned = mayTurn && open !== 0 && isOther;
    const value = isTurned ? fixed - direction * open : total;
    if (before !== undefined && after !== undefined) {
      if (before + value !== after) isContradicted = true;
      else if (row.parts.some(({ amount }) => amount.isNegative)) proofs.minus += 1;
      else if (value !== 0) proofs.plain += 1;
      hasProof = true;
      if (isContradicted && rule.needsProof) break;
    }
    const next = after ?? (before === undefined ? undefined : before + value);
    if (next !== undefined) balances.set(key, next);
    amounts[i] = {
      cents: value,
      ...(after === undefined ? {} : { balance: after }),
      ...(balanceError === undefined ? {} : { balanceError }),
    };
  }
  if (!hasProof) dropContradicted(rows, amounts);
  return {
    variant: { ...variant, amounts },
    verdict: isContradicted ? 'contradicted' : hasProof ? 'proved' : 'open',
    proofs,
  };
}

function dropContradicted(rows: CsvRows['rows'], amounts: Array<Variant['amounts'][number]>): void {
  for (const [i, amount] of amounts.entries()) {
    if ('error' in amount || !rows[i]?.balance?.isContradicted) continue;
    amounts[i] = { cents: amount.cents, balanceError: 'its sign and its word differ' };
  }
}

function openingBalances(keyed: Keyed, decimal: DecimalMark, order: RowOrder): Map<string, number> {
  const { opening } = endBalances(keyed, decimal, order);
  return new Map(opening ? [[opening.key, opening.cents]] : []);
}

export interface EndBalance {
  key: string;
  line: number;
  cents: number;
}

/** Balances of lines before and after the rows, for a file with one account and currency. */
export function endBalances(
  { rows: { rows, balances }, keys, currencies }: Keyed,
  decimal: DecimalMark,
  order: RowOrder,
): { opening?: EndBalance; closing?: EndBalance } {
  const [key = '', other] = new Set(keys);
  if (balances.length === 0 || other !== undefined) return {};
  const found: { opening?: EndBalance; closing?: EndBalance } = {};
  for (const { line, kind, rowsBefore, balance } of balances) {
    // A balance between rows is neither.
    if (rowsBefore > 0 && rowsBefore < rows.length) continue;
    const isFirst = (rowsBefore === 0) === (order === 'oldest-first');
    const read = centsOf(balance, currencies[0] ?? '', decimal);
    if ('error' in read || (kind !== undefined && (kind === 'opening') !== isFirst)) continue;
    const end = { key, line, cents: balance.isNegative ? 0 - read.value : read.value };
    if (isFirst) found.opening ??= end;
    else found.closing = end;
  }
  return found;
}
