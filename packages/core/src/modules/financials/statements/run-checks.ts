import type { CheckId, SnapshotCheck } from '@finhook/contracts';
import { addDays } from '../../../time/calendar.ts';
import { checkTotalRows, checkTotalsAgainstLines } from './check-line-items.ts';
import { compareNearest, compareSum, type Finding, fails, sumsOf, toCheck, worstFinding } from './finding.ts';
import {
  COST_KEYS,
  LIABILITY_KEYS,
  readValues,
  type StatementContent,
  type StatementValues,
  TAX_KEYS,
} from './statement-values.ts';

export interface RelatedFigures {
  sameEnd: readonly StatementContent[];
  previousCashflow: StatementContent | undefined;
  /** The company's balances at the period's end in the statement's currency; undefined without any. */
  bankCash: { deposits: bigint; investments: bigint } | undefined;
}

interface Subject {
  content: StatementContent;
  values: StatementValues;
  related: RelatedFigures;
  today: string;
}

type Check = [CheckId, string, (subject: Subject) => Finding];

const common: readonly Check[] = [
  ['K4', 'Totals add up', ({ content }) => checkTotalRows(content.line_items, content.currency)],
  ['K5', 'Totals equal their line items', ({ content, values }) => checkTotalsAgainstLines(content, values)],
  ['K14', 'Costs and liabilities have the right sign', checkSigns],
];

const checks: Readonly<Record<StatementContent['statement_type'], readonly Check[]>> = {
  income: [
    ['K1', 'Gross profit is revenue less cost of goods', checkGrossProfit],
    ['K2', 'Operating income is gross profit less operating expenses', checkOperatingIncome],
    ['K3', 'Net income adds up', checkNetIncome],
    ['K11', 'Net income equals the cash flow statement', checkNetIncomeAcross],
    ...common,
  ],
  balance: [
    ['K6', 'Assets equal liabilities and equity', checkBalanceEquation],
    ['K7', 'Parts add up to their whole', checkParts],
    ['K10', 'Cash equals the cash flow statement', checkCashAcross],
    ['K12', 'Cash equals the bank balances', checkBankCash],
    ...common,
  ],
  cashflow: [
    ['K8', 'Net change is the sum of the cash flows', checkNetChange],
    ['K9', 'Closing cash is opening cash and the net change', checkClosing],
    ['K10', 'Closing cash equals the balance sheet', checkCashAcross],
    ['K11', 'Net income equals the income statement', checkNetIncomeAcross],
    ['K13', 'Opening cash equals the closing cash before', checkOpening],
    ...common,
  ],
};

/** Never rejects a statement, because books are often incomplete. `today` is a local day. */
export function runChecks(content: StatementContent, related: RelatedFigures, today: string): SnapshotCheck[] {
  const subject = { content, values: readValues(content), related, today };
  return checks[content.statement_type]
    .map(([id, name, check]) => toCheck(id, name, check(subject)))
    .sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)));
}

function given(value: bigint | undefined): readonly bigint[] {
  return value === undefined ? [] : [value];
}

function less(costs: readonly bigint[]): readonly bigint[] {
  return costs.map((cost) => -cost);
}

function checkGrossProfit({ values }: Subject): Finding {
  const sums = sumsOf([given(values.of('revenue')), less(values.costsOf('cogs'))]);
  return compareNearest(values.of('gross_profit'), sums, 2, 'revenue − cogs');
}

function checkOperatingIncome({ values }: Subject): Finding {
  const sums = sumsOf([given(values.of('gross_profit')), less(values.costsOf('opex'))]);
  return compareNearest(values.of('operating_income'), sums, 2, 'gross_profit − opex');
}

/** Missing other income and costs count as 0. A statement without a tax line never fails: the difference may be the tax. */
function checkNetIncome({ values }: Subject): Finding {
  const operating = firstGiven([
    given(values.of('operating_income')),
    sumsOf([given(values.of('gross_profit')), less(values.costsOf('opex'))]),
    sumsOf([given(values.of('revenue')), less(values.costsOf('cogs')), less(values.costsOf('opex'))]),
  ]);
  const taxes = firstGiven(TAX_KEYS.map((key) => values.costsOf(key)));
  const costs = [values.costsOf('other_expense'), values.costsOf('interest_expense'), taxes];
  const parts = [
    operating,
    [values.of('other_income') ?? 0n],
    ...costs.map((cost) => (cost.length === 0 ? [0n] : less(cost))),
  ];
  const message = 'operating_income + other_income − other_expense − interest_expense − income_tax';
  const finding = compareNearest(values.of('net_income'), sumsOf(parts), parts.length, message);
  if (taxes.length > 0 || !fails(finding)) return finding;
  return { skip: 'The tax is not named: a total or line item income_tax would decide it.' };
}

function firstGiven(amounts: readonly (readonly bigint[])[]): readonly bigint[] {
  return amounts.find((found) => found.length > 0) ?? [];
}

function checkBalanceEquation({ values }: Subject): Finding {
  const [liabilities, equity] = [values.of('total_liabilities'), values.of('total_equity')];
  const both = values.of('total_liabilities_and_equity');
  const parts = liabilities === undefined || equity === undefined ? [both] : [liabilities, equity];
  return compareSum(values.of('total_assets'), parts, 'total_liabilities + total_equity');
}

/** Totals of a balance sheet and their parts. All parts add up to the total; some parts must not exceed it. */
const wholes: readonly [string, readonly string[]][] = [
  ['total_assets', ['current_assets', 'fixed_assets', 'other_assets']],
  ['current_assets', ['cash', 'accounts_receivable', 'inventory', 'other_current_assets']],
  ['total_liabilities', ['current_liabilities', 'long_term_liabilities']],
  ['current_liabilities', ['accounts_payable', 'credit_cards', 'other_current_liabilities']],
];

function checkParts({ values }: Subject): Finding {
  return worstFinding(
    wholes.map(([key, names]) => {
      const whole = values.of(key);
      const parts = names.map((name) => values.of(name)).filter((part) => part !== undefined);
      if (whole === undefined || parts.length === 0) return { skip: `Not all figures are given: ${key} and its parts` };
      const sum = parts.reduce((total, part) => total + part, 0n);
      const complete = parts.length === names.length;
      const message = complete ? `${names.join(' + ')} = ${key}` : `The known parts of ${key} are not more than it.`;
      return { expected: whole, actual: sum, lines: parts.length, atMost: !complete, message };
    }),
  );
}

function checkNetChange({ values }: Subject): Finding {
  const parts = ['operating_cash_flow', 'investing_cash_flow', 'financing_cash_flow'].map((key) => values.of(key));
  const message = 'operating + investing + financing + fx_effect';
  return compareSum(values.of('net_change_in_cash'), [...parts, values.of('fx_effect') ?? 0n], message);
}

function checkClosing({ values }: Subject): Finding {
  const parts = [values.of('opening_cash'), values.of('net_change_in_cash')];
  return compareSum(values.of('closing_cash'), parts, 'opening_cash + net_change_in_cash');
}

function counterpart(
  { content, related }: Subject,
  type: StatementContent['statement_type'],
): StatementContent | undefined {
  return related.sameEnd.find((other) => other.statement_type === type && other.currency === content.currency);
}

function checkCashAcross(subject: Subject): Finding {
  const isBalance = subject.content.statement_type === 'balance';
  const other = counterpart(subject, isBalance ? 'cashflow' : 'balance');
  const theirs = other && readValues(other).of(isBalance ? 'closing_cash' : 'cash');
  const mine = subject.values.of(isBalance ? 'cash' : 'closing_cash');
  if (theirs === undefined) {
    return { skip: `No ${isBalance ? 'cash flow statement has closing_cash' : 'balance sheet has cash'} of this day.` };
  }
  return compareSum(mine, [theirs], isBalance ? 'closing_cash of the cash flow' : 'cash of the balance sheet');
}

function checkNetIncomeAcross(subject: Subject): Finding {
  const isIncome = subject.content.statement_type === 'income';
  const other = counterpart(subject, isIncome ? 'cashflow' : 'income');
  const samePeriod = other?.period_start === subject.content.period_start ? other : undefined;
  const theirs = samePeriod && readValues(samePeriod).of('net_income');
  if (theirs === undefined) {
    return { skip: `No ${isIncome ? 'cash flow' : 'income'} statement of the same period has net_income.` };
  }
  return compareSum(subject.values.of('net_income'), [theirs], 'net_income of the other statement of the same period');
}

/** Tolerates 1 %: payments are in transit. Books may include investments, so the nearer sum of deposits counts. */
function checkBankCash({ content, values, related, today }: Subject): Finding {
  if (content.period_end > today) return { skip: 'The period is not over.' };
  const cash = values.of('cash');
  const { deposits, investments = 0n } = related.bankCash ?? {};
  const near = deposits === undefined ? [] : [deposits, deposits + investments];
  const [bank] = near.toSorted((a, b) => Number(distance(a, cash) - distance(b, cash)));
  const finding = compareSum(cash, [bank], 'bank balances at the end of the period, ±1 %');
  if ('skip' in finding || bank === undefined) return finding;
  const percent = (bank < 0n ? -bank : bank) / 100n;
  return { ...finding, tolerance: percent > 1n ? percent : 1n };
}

function distance(a: bigint, b = 0n): bigint {
  return a > b ? a - b : b - a;
}

function checkOpening({ content, values, related }: Subject): Finding {
  const previous = related.previousCashflow;
  const adjacent = previous?.period_end === addDays(content.period_start, -1) && previous.currency === content.currency;
  const theirs = adjacent ? readValues(previous).of('closing_cash') : undefined;
  return compareSum(values.of('opening_cash'), [theirs], 'closing_cash of the period before');
}

/** K14: liabilities and cost totals are positive, and costs are negative line items. */
function checkSigns({ content, values }: Subject): Finding {
  if (content.statement_type === 'cashflow') return { skip: 'A cash flow has amounts of either sign.' };
  if (content.statement_type === 'balance') {
    const known = LIABILITY_KEYS.filter((key) => values.of(key) !== undefined);
    const negative = known.filter((key) => (values.of(key) ?? 0n) < 0n);
    if (known.length === 0) return { skip: 'No liability is given.' };
    return { failed: negative.length > 0, message: signMessage(negative, 'Liabilities are positive', 'negative') };
  }
  const costs = content.line_items.filter(({ key, is_total }) => !is_total && (key === 'cogs' || key === 'opex'));
  const positive = costs.filter(({ amount_cents }) => amount_cents > 0).map(({ key }) => key);
  const messages = [
    ...([...COST_KEYS].some((key) => values.total(key) !== undefined)
      ? [signMessage(values.negativeCosts, 'Costs are positive totals', 'negative')]
      : []),
    ...(costs.length > 0 ? [signMessage(positive, 'Costs are negative line items', 'positive')] : []),
  ];
  if (messages.length === 0) return { skip: 'No cost is given.' };
  return { failed: values.negativeCosts.length + positive.length > 0, message: messages.join(' ') };
}

function signMessage(wrong: readonly string[], rule: string, sign: string): string {
  const keys = [...new Set(wrong)];
  return keys.length === 0 ? `${rule}.` : `${rule}; ${keys.join(', ')} ${keys.length > 1 ? 'are' : 'is'} ${sign}.`;
}
