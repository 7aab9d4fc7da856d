import { bigOf, exactOf } from '../../lib/exact-cents.ts';
import { plural } from '../../lib/text.ts';
import type { Outputs } from '../../lib/trpc.ts';

type Runway = Outputs['financials']['runway'];
type Monthly = Outputs['financials']['monthly'];
export type RunwayLine = Runway['lines'][number];

const bases = {
  balance_delta: 'Change in cash over up to 90 days, because there is no full month of transactions',
  cash_flow_statement: 'Latest cash flow statement, because there is no full month of transactions',
} as const;

export function basisText(
  { basis, basis_excluded, window }: RunwayLine,
  nameOf: (id: string | null) => string,
): string {
  if (basis === null) return 'None yet. Requires transactions, 30 days of balances or a cash flow statement';
  const text = basis === 'transactions' ? `${plural(window.length, 'full month')} of bank transactions` : bases[basis];
  if (basis_excluded.length === 0) return text;
  return `${text}. Excludes accounts with less than 30 days of balances: ${basis_excluded.map(nameOf).join(', ')}`;
}

/** The reasons to check the figure; none without a figure. */
export function doubtsOf({ basis, confidence_reasons }: RunwayLine): string[] {
  if (basis === null) return [];
  // `statusSentence` says so already.
  const shown = confidence_reasons.filter(({ code }) => code !== 'few_months' || basis === 'transactions');
  return shown.map(({ message }) => message);
}

const CAP_MONTHS = 120;
/** Months of burn in the runway at the end of a month. */
const CLOSING_MONTHS = 3;
const UNKNOWN = '–';

/** `14.2 months`. Null is beyond what the service counts. */
export function lastingText(months: number | null): string {
  return months === null || months > CAP_MONTHS ? '10+ years' : `${months.toFixed(1)} months`;
}

interface RunwayForms {
  text: string;
  /** For a column that says what its figures are. */
  short: string;
}

/** A runway in words. `months` is null without one, `burn` if it is not known. */
function runwayForms(months: number | null, burn: number | string | null): RunwayForms {
  if (months !== null) return { text: lastingText(months), short: months > CAP_MONTHS ? '120+' : months.toFixed(1) };
  return burn !== null && BigInt(burn) <= 0n
    ? { text: 'Cash-flow positive', short: 'No burn' }
    : { text: UNKNOWN, short: UNKNOWN };
}

/** `14.2 months` at the end of a month; `–` if it is not known. */
export function runwayAtEnd({
  runway_months,
  net_burn_3m_cents,
  net_burn_3m_string,
}: Pick<
  Monthly['months'][number]['flows'][number],
  'runway_months' | 'net_burn_3m_cents' | 'net_burn_3m_string'
>): string {
  return runwayForms(runway_months, exactOf(net_burn_3m_cents, net_burn_3m_string)).text;
}

/** `14.2 months`, or why there is no such figure. */
export function runwayText(line: RunwayLine | null, excluded: Outputs['cash']['onHand']['excluded']): string {
  if (line === null || line.status === 'no_cash_data') {
    const isExcluded = excluded.some(({ currency }) => line === null || line.currency === currency);
    return isExcluded ? 'All balances are excluded' : 'No balance yet';
  }
  if (line.status === 'out_of_cash') return 'Out of cash';
  if (line.status === 'no_outflow') return 'No spending';
  if (line.status === 'cash_flow_positive') return 'Cash-flow positive';
  if (line.runway_months !== null) return runwayForms(line.runway_months, null).text;
  return line.basis === null ? line.text : 'Cash is not falling';
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

/** The lines of the currencies beside a headline. */
export function otherRunways({ headline, lines, total }: Runway): readonly RunwayLine[] {
  if (total !== null) return lines.length > 1 ? lines : [];
  return lines.filter(({ currency }) => currency !== headline?.currency);
}

/** The day to begin to raise money; `now` once it has passed, and undefined without one. */
export function raiseByText(day: string | null | undefined, today: string, format: (day: string) => string) {
  if (day == null) return undefined;
  return day <= today ? 'now' : format(day);
}

/** The runway over a number of months. */
export interface RunwayWindow {
  months: readonly string[];
  text: string;
  inUse: boolean;
}

export interface RunwayBefore {
  month: string;
  text: string;
}

/** The runway at the end of the last complete month, if it is known and over as many months as today's. */
export function runwayBefore(
  { months }: Pick<Monthly, 'months'>,
  { currency, window }: Pick<RunwayLine, 'currency' | 'window'>,
  isTotal: boolean,
): RunwayBefore | undefined {
  const last = months.findLast(({ partial }) => !partial);
  const line = isTotal ? last?.total : last?.flows.find((flow) => flow.currency === currency);
  if (last === undefined || line == null || window.length !== CLOSING_MONTHS) return undefined;
  const text = runwayAtEnd(line);
  return text === UNKNOWN ? undefined : { month: last.month, text };
}

/** The runway over the last 1, 3, 6 and 12 complete months, as far as they are known. */
export function runwayWindows({ windows, months }: Monthly, { window }: RunwayLine): RunwayWindow[] {
  const complete = months.filter(({ partial }) => !partial).map(({ month }) => month);
  return windows.map((one) => ({
    months: complete.slice(-one.months),
    text: runwayForms(one.runway_months, exactOf(one.net_burn_cents, one.net_burn_string)).short,
    inUse: one.months === window.length,
  }));
}
