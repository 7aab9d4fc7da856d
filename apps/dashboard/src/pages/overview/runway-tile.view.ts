import { bigOf } from '../../lib/exact-cents.ts';
import type { Outputs } from '../../lib/trpc.ts';

export type RunwayLine = Outputs['financials']['runway']['lines'][number];

const flagTexts: ReadonlyArray<readonly [flag: keyof RunwayLine['flags'], text: string]> = [
  ['stale', 'Stale data'],
  ['mixed_currency', 'Multiple currencies'],
  ['low_confidence', 'Low confidence'],
  ['unexplained', 'Unexplained balance changes'],
];

export function flagsOf({ flags }: RunwayLine): string[] {
  return flagTexts.filter(([flag]) => flags[flag]).map(([, text]) => text);
}

const bases = {
  transactions: 'Bank transactions of full months',
  balance_delta: 'Change in cash over up to 90 days, because there is no full month of transactions',
  cash_flow_statement: 'Latest cash flow statement, because there is no full month of transactions',
} as const;

export function basisText({ basis, basis_excluded }: RunwayLine, nameOf: (id: string | null) => string): string {
  if (basis === null) return 'None yet. Requires transactions, 30 days of balances or a cash flow statement';
  if (basis_excluded.length === 0) return bases[basis];
  return `${bases[basis]}. Excludes accounts with less than 30 days of balances: ${basis_excluded.map(nameOf).join(', ')}`;
}

const CONFIDENT_MONTHS = 3;

export function confidenceText({ basis, flags, confidence_reasons }: RunwayLine): string {
  if (basis === null) return 'Not enough data';
  if (!flags.low_confidence) return `Normal: average of ${CONFIDENT_MONTHS} full months`;
  const basisReason = basis === 'transactions' ? [] : ['Not based on transactions.'];
  return `Low. ${[...basisReason, ...confidence_reasons.map(({ message }) => message)].join(' ')}`;
}

export function doubtsOf({ basis, confidence_reasons }: RunwayLine): string[] {
  if (basis === null) return [];
  const shown = confidence_reasons.filter(({ code }) => code !== 'few_months' || basis === 'transactions');
  return shown.map(({ message }) => message);
}

export function runwayText(line: RunwayLine | null, excluded: Outputs['cash']['onHand']['excluded']): string {
  if (line !== null && line.status !== 'no_cash_data') return line.text;
  const isExcluded = excluded.some(({ currency }) => line === null || line.currency === currency);
  return isExcluded ? 'All balances are excluded' : 'No balance yet';
}

/** The day on which the cash runs out; null if it already has, because the response then repeats the current day. */
export function cashOutDay({ cash_out_date, cash_cents, cash_string }: RunwayLine): string | null {
  return bigOf(cash_cents, cash_string) > 0n ? cash_out_date : null;
}

const CRITICAL_MONTHS = 3;
const SHORT_MONTHS = 6;

/** Under three months is `bad`, under six `warn`. */
export function runwayTone({ status, runway_months }: RunwayLine): 'bad' | 'warn' | undefined {
  if (status === 'out_of_cash') return 'bad';
  if (runway_months === null || runway_months >= SHORT_MONTHS) return undefined;
  return runway_months < CRITICAL_MONTHS ? 'bad' : 'warn';
}

export function statusSentence({ status, runway_months, basis }: RunwayLine): string | undefined {
  switch (status) {
    case 'no_cash_data':
      return 'This currency has transactions but no balance. Post one or connect the account.';
    case 'no_outflow':
      return 'No money out in the averaged months.';
    case 'cash_flow_positive':
      return 'More money in than out: cash does not run out at this rate.';
    case 'out_of_cash':
      return 'Cash has run out: the balance is zero or overdrawn.';
    case 'no_transactions':
    case 'insufficient_history':
      if (basis === null) return 'Runway requires one full month of transactions, or 30 days of balances.';
      return runway_months === null
        ? 'Cash has not decreased recently.'
        : 'Estimated without a full month of transactions.';
    default:
      return undefined;
  }
}
