import { formatMoney } from '@finhook/contracts/currency';
import type { FileProblem, RawBalance, RawStatement } from './statement.ts';
import type { Step } from './step.ts';

interface End {
  balance: PlacedBalance;
  opening: RawBalance | undefined;
}

export type PlacedBalance = RawBalance & { file?: string | undefined };

export interface EndConflict {
  account: string;
  currency: string;
  problem: FileProblem;
}

/**
 * Statements are equal if their balances, days and amounts are; without balances, period and texts must match too.
 * References that all differ make them different.
 */
export function uniqueStatements(statements: readonly RawStatement[], step: Step): RawStatement[] {
  if (statements.length < 2) return [...statements];
  // References of the kept statements, by content.
  const seen = new Map<string, Set<string>>();
  return statements.filter((statement) => {
    if (statement.rows.length === 0) return true;
    const content = contentOf(statement, step);
    const known = seen.get(content);
    const references = statement.rows.map(({ reference }) => reference ?? '');
    const own = new Set([...references, ...(known ?? [])]);
    const isNew = known === undefined || (own.size === references.length + known.size && !own.has(''));
    if (isNew) seen.set(content, own);
    return isNew;
  });
}

function contentOf({ account, currency, period, opening, closing, rows, ends }: RawStatement, step: Step): string {
  step(rows.length + ends.length + 1);
  const isProvable = opening !== undefined && closing !== undefined;
  const balances = [opening, closing, ...ends].map((balance) => balance && [balance.day, balance.cents]);
  const lines = rows.map(({ day, cents, currency: code, description, reference }) =>
    JSON.stringify([day, cents, code, ...(isProvable ? [] : [description, reference])]),
  );
  return JSON.stringify([account, currency, isProvable ? '' : period, balances, lines.sort()]);
}

/** One balance per day: of a chain, in which a statement opens with another's closing balance, the last. */
export function endsOf(
  statements: readonly RawStatement[],
  { account, currency }: { account: string; currency: string },
  step: Step,
): { ends: PlacedBalance[]; conflicts: EndConflict[] } {
  const all = statements.flatMap(({ ends, opening, file }) =>
    ends
      .filter((balance) => balance.currency === currency)
      .map((balance): End => ({ balance: { ...balance, file }, opening })),
  );
  step(all.length);
  const conflicts: EndConflict[] = [];
  const ends = [...Map.groupBy(all, ({ balance }) => balance.day).values()].flatMap((day): PlacedBalance[] => {
    const end = lastOf(day, step);
    if (end !== undefined) return [end];
    const { line = 1, file } = day.at(-1)?.balance ?? {};
    const texts = [...new Set(day.map(({ balance }) => formatMoney(balance.cents, currency)))];
    const message = `the file has several balances of ${account || 'the account'} on ${day[0]?.balance.day}: ${texts.slice(0, 5).join(', ')}`;
    conflicts.push({ account, currency, problem: { file, line, column: 1, code: 'totals', message } });
    return day.slice(-1).map(({ balance }) => balance);
  });
  return { ends, conflicts };
}

function lastOf(ends: readonly End[], step: Step): PlacedBalance | undefined {
  const isChain = (list: readonly End[]): boolean =>
    list.every(({ opening }, i) => i === 0 || opening?.cents === list[i - 1]?.balance.cents);
  step(ends.length);
  if (ends.every(({ balance }) => balance.cents === ends[0]?.balance.cents) || isChain(ends))
    return ends.at(-1)?.balance;
  const reversed = ends.toReversed();
  if (isChain(reversed)) return ends[0]?.balance;
  const openings = new Set(ends.map(({ opening }) => opening?.cents));
  const last = ends.filter(({ balance }) => !openings.has(balance.cents));
  return last.every(({ balance }) => balance.cents === last[0]?.balance.cents) ? last[0]?.balance : undefined;
}
