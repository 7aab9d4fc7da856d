import { FilterMonth } from '../../components/filter-bar.tsx';
import type { AmountBounds } from '../../lib/parse-money.ts';
import { accountFilter, categoryFilter } from '../../operation/label-filters.tsx';
import type { FilterOptions } from '../../operation/list-filters.tsx';
import { amountFilters } from '../../operation/money-filters.tsx';
import { periodFilter } from '../../operation/period-filter.tsx';
import type { TransactionSearch } from '../../search-names.ts';
import { monthsText } from '../overview/burn.view.ts';
import { figureMonths } from './transaction-totals.view.ts';
import { spellingChoice } from './transactions.view.ts';

export function filtersOf(search: TransactionSearch, bounds: AmountBounds): Readonly<Record<string, FilterOptions>> {
  const hasDays = search.posted_from !== undefined || search.posted_to !== undefined;
  const shown = figureMonths(search);
  const months = shown && {
    ...shown,
    text: monthsText([shown.first, shown.last]),
    names: ['month', 'month_to', 'counts', 'counted_as'],
  };
  return {
    q: { label: 'Search', placeholder: 'Description, vendor, external ID', className: 'w-full sm:w-64' },
    ...periodFilter('posted_from', 'posted_to', months),
    connection_id: accountFilter,
    category: categoryFilter,
    direction: {
      none: 'In and out',
      choices: [
        ['in', 'Money in'],
        ['out', 'Money out'],
      ],
    },
    month: {
      more: true,
      // The control of the period shows the months, unless it shows days.
      chip: (month) => (months && !hasDays ? undefined : `Counted in ${months?.text ?? month}`),
      slot: (field) => <FilterMonth label="Counted in month" {...field} />,
    },
    ...(search.month !== undefined && {
      month_to: {
        more: true,
        partOf: 'month',
        slot: (field) => <FilterMonth label="To month" min={search.month} {...field} />,
      },
      counts: {
        label: 'Counts in the figures',
        more: true,
        needs: 'month',
        choices: [
          ['true', 'Yes'],
          ['false', 'No'],
        ],
      },
      counted_as: { label: 'Counted as', more: true, needs: 'month' },
    }),
    counterparty: { label: 'Vendor', placeholder: 'Exact match', more: true },
    // Figures link to them.
    ...(search.category_key !== undefined && {
      category_key: spellingFilter('Category', search.category_key),
    }),
    ...(search.counterparty_key !== undefined && {
      counterparty_key: spellingFilter('Vendor', search.counterparty_key),
    }),
    ...amountFilters(bounds, true),
    source: { placeholder: 'Exact match', more: true },
    external_id: { label: 'External ID', placeholder: 'Exact match', more: true },
  };
}

function spellingFilter(noun: 'Category' | 'Vendor', key: string): FilterOptions {
  const choice = spellingChoice(key, `Without a ${noun.toLowerCase()}`);
  return { label: `${noun}, any spelling`, chip: () => `${noun}: ${choice[1]}`, choices: [choice], more: true };
}
