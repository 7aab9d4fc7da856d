import { type Amount, amountIn, bigOf } from '../../lib/exact-cents.ts';
import { MONTH, monthAfter } from '../../lib/periods.ts';
import type { Outputs } from '../../lib/trpc.ts';
import { runwayAtEnd, runwayText } from '../overview/runway.view.ts';
import { monthsSince } from '../spending/period.view.ts';

type Monthly = Outputs['financials']['monthly'];
type MonthlyLine = Monthly['months'][number]['flows'][number];
type Runway = Outputs['financials']['runway'];

export interface ReportFigures {
  currency: string;
  /** Undefined if the figures are of all currencies. */
  rowsIn: string | undefined;
  start: Amount;
  end: Amount;
  moneyIn: Amount;
  moneyOut: Amount;
  /** Money in less money out. */
  net: Amount;
  /** The change of cash that is neither money in nor money out. */
  other: Amount;
  /** Mean of the three months that end with this one. */
  burn: Amount;
  runway: string;
}

const unknown: Amount = { cents: null, digits: undefined };

/** The months that the monthly figures must have for a report: those since the month before it. Undefined if that is not possible. */
export function monthsToRead(month: string, today: string): number | undefined {
  return MONTH.test(month) && month <= today.slice(0, 7) ? monthsSince(monthAfter(month, -1), today) : undefined;
}

/** The figures of a month: those of all currencies first, if there is a total, then those of each. */
export function reportFigures({ months }: Monthly, month: string, base: string): ReportFigures[] {
  const at = months.findIndex((one) => one.month === month);
  const [now, before] = [months[at], months[at - 1]];
  if (now === undefined) return [];
  const lines = now.flows.toSorted((a, b) => Number(b.currency === base) - Number(a.currency === base));
  const single = lines.map((line) =>
    figuresOf(
      line,
      before?.flows.find(({ currency }) => currency === line.currency),
      line.currency,
    ),
  );
  return now.total === null || lines.length < 2
    ? single
    : [figuresOf(now.total, before?.total ?? undefined, undefined), ...single];
}

function figuresOf(line: MonthlyLine, before: MonthlyLine | undefined, rowsIn: string | undefined): ReportFigures {
  const start = before === undefined ? unknown : amountIn(before, 'closing_cash');
  const [end, net] = [amountIn(line, 'closing_cash'), amountIn(line, 'net')];
  return {
    currency: line.currency,
    rowsIn,
    start,
    end,
    moneyIn: amountIn(line, 'money_in'),
    moneyOut: amountIn(line, 'money_out'),
    net,
    other: otherChange(start, net, end),
    burn: amountIn(line, 'net_burn_3m'),
    runway: runwayAtEnd(line),
  };
}

function otherChange(start: Amount, net: Amount, end: Amount): Amount {
  if ([start, net, end].some(({ cents, digits }) => cents === null && digits === undefined)) return unknown;
  const [before, change, after] = [start, net, end].map(({ cents, digits }) => bigOf(cents, digits));
  return { cents: null, digits: `${(after ?? 0n) - (before ?? 0n) - (change ?? 0n)}` };
}

/** The runway of today, for the current month, which has none of its own. */
export function runwayToday({ currency, rowsIn }: Pick<ReportFigures, 'currency' | 'rowsIn'>, runway: Runway): string {
  const line = rowsIn === undefined ? runway.total : runway.lines.find((one) => one.currency === currency);
  return line == null ? '–' : runwayText(line, []);
}
