import type { Outputs } from '../../data/trpc.ts';
import { bigOf } from '../../ui/exact-cents.ts';

export type RunwayLine = Outputs['financials']['runway']['lines'][number];

const flagTexts: ReadonlyArray<readonly [flag: keyof RunwayLine['flags'], text: string]> = [
  ['stale', 'Stale balances or transactions'],
  ['mixed_currency', 'Several currencies'],
  ['low_confidence', 'Low confidence'],
  ['unexplained', 'Unexplained changes of balance'],
];

/** The flags of a line in words. */
export function flagsOf({ flags }: RunwayLine): string[] {
  return flagTexts.filter(([flag]) => flags[flag]).map(([, text]) => text);
}

const bases = {
  transactions: 'Bank transactions of whole months',
  balance_delta: 'How far cash fell over up to 90 days, since there is no whole month of transactions',
  cash_flow_statement: 'The newest cash flow statement, since there is no whole month of transactions',
} as const;

/** Where the burn comes from. */
export function basisText({ basis }: RunwayLine): string {
  return basis === null
    ? 'None yet: neither transactions, nor 30 days of balances, nor a cash flow statement'
    : bases[basis];
}

const CONFIDENT_MONTHS = 3;

/** How much the figure can be trusted, and why. */
export function confidenceText({ basis, window, flags }: RunwayLine): string {
  if (basis === null) return 'No figure to trust yet';
  if (!flags.low_confidence) return `Normal: ${CONFIDENT_MONTHS} whole months are averaged`;
  if (basis !== 'transactions') return 'Low: it does not come from transactions';
  if (window.length < CONFIDENT_MONTHS) return `Low: ${window.length} of ${CONFIDENT_MONTHS} whole months are known`;
  return 'Low: a connection that had transactions every month has none in one of the months';
}

/** The figure of a line, or of a company without any, in words. Balances that are all left out are no missing ones. */
export function runwayText(line: RunwayLine | null, excluded: Outputs['cash']['onHand']['excluded']): string {
  if (line !== null && line.status !== 'no_cash_data') return line.text;
  const isLeftOut = excluded.some(({ currency }) => line === null || line.currency === currency);
  return isLeftOut ? 'All balances are left out' : 'No balance yet';
}

/** When the cash runs out; null also where it is gone already, for which the answer names each day anew. */
export function cashOutDay({ cash_out_date, cash_cents, cash_string }: RunwayLine): string | null {
  return bigOf(cash_cents, cash_string) > 0n ? cash_out_date : null;
}

/** Why there is no number of months, or what the number says; undefined where the figure speaks for itself. */
export function statusSentence({ status, runway_months, basis }: RunwayLine): string | undefined {
  switch (status) {
    case 'no_cash_data':
      return 'There is spending in this currency, but no balance that counts. Post one, or connect the account.';
    case 'no_outflow':
      return 'Nothing was spent in the months that are averaged.';
    case 'cash_flow_positive':
      return 'More came in than went out: at this rate the cash does not run out.';
    case 'out_of_cash':
      return 'The cash is gone, and more goes out than comes in.';
    case 'no_transactions':
    case 'insufficient_history':
      if (basis === null) return 'Runway needs one whole month of transactions, or 30 days of balances.';
      return runway_months === null ? 'Cash did not fall lately.' : 'Estimated without a whole month of transactions.';
    default:
      return undefined;
  }
}
