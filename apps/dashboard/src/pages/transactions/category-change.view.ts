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

export function changeText({ count, from, to, rule }: CategoryChange): string {
  const subject = count === 1 ? 'Category' : `Category of ${plural(count, 'transaction')}`;
  const change = `${from === undefined ? '' : ` from ${nameOf(from)}`} to ${nameOf(to)}`;
  return [
    ...(rule === undefined ? [] : [`Rule for “${visibleText(rule)}” saved.`]),
    count === 0 ? 'No category changed.' : `${subject} changed${change}.`,
  ].join(' ');
}
