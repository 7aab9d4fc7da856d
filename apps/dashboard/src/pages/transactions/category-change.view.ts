import { plural, visibleText } from '../../lib/text.ts';

export interface CategoryChange {
  /** Number of transactions that have changed. */
  count: number;
  /** Undefined if they had several. */
  from?: string | null | undefined;
  to: string | null;
  /** Text of a rule that was saved with it. */
  rule?: string | undefined;
}

const nameOf = (category: string | null): string => (category === null ? 'none' : visibleText(category));

interface Counts {
  /** Transactions that the service has changed. */
  changed: number;
  /** The numbers that had the category before and have it after; undefined if they could not be read. */
  earlier: number | undefined;
  later: number | undefined;
}

/** With those that a rule has changed, which the service doesn't count. Others may have changed some meanwhile. */
export function countWithRule({ changed, earlier, later }: Counts): number {
  return earlier === undefined || later === undefined ? changed : Math.max(changed, later - earlier);
}

export function changeText({ count, from, to, rule }: CategoryChange): string {
  const subject = count === 1 ? 'Category' : `Category of ${plural(count, 'transaction')}`;
  const change = `${from === undefined ? '' : ` from ${nameOf(from)}`} to ${nameOf(to)}`;
  return [
    ...(rule === undefined ? [] : [`Rule for “${visibleText(rule)}” saved.`]),
    count === 0 ? 'No category changed.' : `${subject} changed${change}.`,
  ].join(' ');
}
