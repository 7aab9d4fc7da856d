import { sentenceCase } from '../../components/badge.tsx';
import { formatDay, formatLongMonth } from '../../lib/format-time.ts';
import { periodNames, periodOf } from '../../lib/periods.ts';
import { valuesOf } from '../../lib/several.ts';
import type { TransactionSearch } from '../../search-names.ts';

export interface TitleContext {
  /** The day in the zone of the company. */
  today: string;
  accountName: (id: string) => string;
}

/** The filters in words: `October 2026 · money out · counted in the figures · USD`. */
export function listTitle(search: TransactionSearch, { today, accountName }: TitleContext): string {
  const { q, direction, counterparty, counterparty_key, min, max, currency, source, external_id } = search;
  const parts = [
    longMonths(search),
    daysText(search, today),
    q && `“${q}”`,
    severalText(search.category, 'categories', (category) => category),
    keyText(search.category_key, 'without a category'),
    counterparty,
    keyText(counterparty_key, 'without a vendor'),
    severalText(search.connection_id, 'accounts', accountName),
    direction && (direction === 'in' ? 'money in' : 'money out'),
    ...classTexts(search),
    min && `at least ${min}`,
    max && `at most ${max}`,
    currency?.toUpperCase(),
    source && `source ${source}`,
    external_id && `external ID ${external_id}`,
  ].filter((part) => part !== undefined && part !== '');
  const text = parts.join(' · ');
  return text === '' ? 'All transactions' : text.charAt(0).toUpperCase() + text.slice(1);
}

/** `October 2026`, `August to October 2026` or `December 2025 to February 2026`. */
function longMonths({ month: first, month_to: last = first }: TransactionSearch): string | undefined {
  if (first === undefined || last === undefined) return undefined;
  if (first === last) return formatLongMonth(first);
  const isOneYear = first.slice(0, 4) === last.slice(0, 4);
  const from = isOneYear ? formatLongMonth(first).split(' ')[0] : formatLongMonth(first);
  return `${from} to ${formatLongMonth(last)}`;
}

function daysText({ posted_from: from, posted_to: to }: TransactionSearch, today: string): string | undefined {
  const period = periodOf(from, to, today);
  if (period !== undefined && period !== 'custom') return periodNames[period].toLowerCase();
  if (from === undefined) return to && `up to ${formatDay(to)}`;
  if (to === undefined) return `from ${formatDay(from)}`;
  return from === to ? formatDay(from) : `${formatDay(from)} to ${formatDay(to)}`;
}

function severalText(text: string | undefined, noun: string, name: (value: string) => string): string | undefined {
  const [first, ...others] = valuesOf(text);
  if (first === undefined) return undefined;
  return others.length === 0 ? name(first) : `${others.length + 1} ${noun}`;
}

function keyText(key: string | undefined, none: string): string | undefined {
  return key && (key === 'NONE' ? none : sentenceCase(key));
}

/** Without a month the service does not classify. */
function classTexts({ month, counts, counted_as }: TransactionSearch): ReadonlyArray<string | undefined> {
  if (month === undefined) return [];
  return [
    counts && (counts === 'true' ? 'counted in the figures' : 'not counted in the figures'),
    counted_as && `counted as ${counted_as}`,
  ];
}
