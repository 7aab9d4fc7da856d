import { sentenceCase } from '../../components/badge.tsx';
import { amountBounds, parseMoney } from '../../lib/parse-money.ts';
import { fieldOf } from '../../lib/problem.ts';
import { valuesOf } from '../../lib/several.ts';
import { plural } from '../../lib/text.ts';
import type { Input, Outputs } from '../../lib/trpc.ts';
import { dayStart } from '../../lib/zoned-time.ts';
import { type TransactionSearch, transactionFilterNames } from '../../search-names.ts';

export type Transaction = Outputs['bank']['transactions']['list']['data'][number];

export function transactionQuery(search: TransactionSearch, zone: string, base: string) {
  const { posted_from, posted_to } = search;
  const { cents, only } = amountBounds(search, base);
  return {
    ...search,
    posted_from: posted_from && (dayStart(posted_from, zone) ?? posted_from),
    posted_to: posted_to && (dayStart(posted_to, zone, 1) ?? posted_to),
    month_to: search.month === undefined ? undefined : search.month_to,
    counted_as: search.month === undefined ? undefined : search.counted_as,
    counts: search.month === undefined || search.counts === undefined ? undefined : search.counts === 'true',
    category: undefined,
    categories: listOf(search.category),
    connection_id: undefined,
    connection_ids: listOf(search.connection_id),
    currency: only,
    min: undefined,
    max: undefined,
    min_amount_cents: cents.min,
    max_amount_cents: cents.max,
  };
}

function listOf(text: string | undefined): string[] | undefined {
  const values = valuesOf(text);
  return values.length === 0 ? undefined : [...values];
}

/** Why no transaction matches the filters, as far as they say. */
export function noMatchText({ q, counterparty, source, external_id }: TransactionSearch): string {
  const isExact = [counterparty, source, external_id].some((value) => value !== undefined);
  return [
    ...(q === undefined ? [] : [`The search “${q}” looks in descriptions, vendors and external IDs.`]),
    ...(isExact ? ['Vendor, source and external ID must match exactly, including upper and lower case.'] : []),
    'Clear the filters to see all.',
  ].join(' ');
}

export interface AmountInput {
  amount: string | undefined;
  currency: string;
  direction: string;
}

/** Parses an unsigned amount and applies the direction: signed minor units, or an error. */
export function signedAmount({ amount, currency, direction }: AmountInput): { cents: number } | { fault: string } {
  if (amount === undefined) return { fault: 'Enter an amount.' };
  const parsed = parseMoney(amount, currency);
  if ('fault' in parsed) return parsed;
  if (/^[+\-\u2212]/.test(amount.trim())) return { fault: 'Enter the amount without a sign and choose a direction.' };
  return { cents: direction === 'out' && parsed.cents !== 0 ? -parsed.cents : parsed.cents };
}

export function carries(data: unknown, transactionId: string): boolean {
  const rows = fieldOf(data, 'transactions');
  return Array.isArray(rows) && rows.some((row: unknown) => fieldOf(row, 'id') === transactionId);
}

type BulkInput = Input<'bank.transactions.bulk'>;

export function filterOf(search: TransactionSearch, zone: string, base: string): BulkInput['filter'] | undefined {
  const names = transactionFilterNames.filter((name) => name !== 'order' && name !== 'sort');
  const set: TransactionSearch = Object.fromEntries(names.map((name) => [name, search[name]]));
  const query = Object.entries(transactionQuery(set, zone, base)).filter(([, value]) => value !== undefined);
  // The service validates the values, which are from the URL.
  return query.length === 0 ? undefined : Object.fromEntries(query);
}

export function sumsOf(
  rows: ReadonlyArray<Pick<Transaction, 'amount_cents' | 'currency'>>,
): { currency: string; cents: string }[] {
  const sums = new Map<string, bigint>();
  for (const { currency, amount_cents } of rows) sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amount_cents));
  return [...sums].map(([currency, sum]) => ({ currency, cents: `${sum}` }));
}

export const flowClasses = [
  ['counted', 'Counted'],
  ['financing', 'Financing: money in doesn’t count'],
  ['transfer', 'Transfer: doesn’t count'],
  ['excluded', 'Excluded: doesn’t count'],
] as const;

const reasons: Readonly<Record<NonNullable<Transaction['counted_as']>['flow_reason'], string>> = {
  account: 'account doesn’t count',
  person: 'by a person',
  rule: 'by rule',
  category: 'by category',
  pair: 'matched pair',
  large_inflow: 'large inflow',
  default: '',
};

export function countedAsText({ counted_as }: Pick<Transaction, 'counted_as'>): string {
  if (counted_as == null) return 'Not counted';
  const reason = reasons[counted_as.flow_reason];
  return `${sentenceCase(counted_as.flow_class)}${reason === '' ? '' : ` (${reason})`}`;
}

/** What the provider posted, if the category of the row is another one. */
export function postedText({
  category,
  posted_category,
  category_reason,
}: Pick<Transaction, 'category' | 'posted_category' | 'category_reason'>): string | undefined {
  const posted = posted_category === null ? 'Posted without a category' : `As posted: ${posted_category}`;
  if (category === posted_category) return undefined;
  return category_reason === 'rule' ? `Set by a rule. ${posted}` : posted;
}

/** The category that a person set; null if the rules or the posted one decide. */
export function ownCategory({ category, category_reason }: Pick<Transaction, 'category' | 'category_reason'>) {
  return category_reason === 'person' ? category : null;
}

/** A choice of the filter for a category or vendor in any spelling, which figures link to. */
export function spellingChoice(key: string, none: string): readonly [value: string, label: string] {
  return [key, key === 'NONE' ? none : sentenceCase(key)];
}

export const NO_CLASS = 'No class: the rules decide';

export const changes: ReadonlyArray<readonly [value: string, label: string, set: BulkInput['set']]> = [
  ...flowClasses.map(([flow_class, label]) => [flow_class, label, { flow_class }] as const),
  ['none', NO_CLASS, { flow_class: null }],
  ['posted_category', 'Category as posted', { category: null }],
  ['void', 'Void: doesn’t count', { voided: true }],
  ['restore', 'Restore: counts again', { voided: false }],
];

/** Which transactions a change of the filtered ones concerns. */
export function filteredText(count: number): string {
  const which = count === 1 ? 'the one transaction that matches' : `all ${plural(count, 'transaction')} that match`;
  return `Changes ${which} the filters, not only the rows that are ticked or shown.`;
}
