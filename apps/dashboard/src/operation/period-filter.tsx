import { useState } from 'react';
import { DateField } from '../components/date-field.tsx';
import { FilterChoice } from '../components/filter-bar.tsx';
import { useZone } from '../components/shell/company-context.ts';
import { daysOf, daysOfMonths, periodNames, periodOf, periods } from '../lib/periods.ts';
import { todayIn } from '../lib/zoned-time.ts';
import type { FilterOptions } from './list-filters.tsx';
import { useListSearch } from './resource-list.tsx';

const MONTHS = 'months';

/** Months that other filters select by, and which the control shows too. */
export interface SetMonths {
  first: string;
  last: string;
  /** Like `Aug–Oct 2026`. */
  text: string;
  /** The filters that select by them, or need them. A period replaces them. */
  names: readonly string[];
}

interface PeriodFilterProps {
  from: string;
  to: string;
  months: SetMonths | undefined;
}

/** One control for two filters by day: a period, or days of one's own. */
export function periodFilter(from: string, to: string, months?: SetMonths): Record<string, FilterOptions> {
  return {
    [from]: { slot: () => <PeriodFilter from={from} to={to} months={months} /> },
    [to]: { partOf: from, slot: () => null },
  };
}

function PeriodFilter({ from, to, months }: PeriodFilterProps): React.JSX.Element {
  const { search, setSearch } = useListSearch();
  const today = todayIn(useZone());
  const [isCustom, setCustom] = useState(false);
  const set = periodOf(search[from], search[to], today) ?? (months && MONTHS);
  const shown = isCustom ? 'custom' : set;
  function choose(value: string | undefined): void {
    setCustom(value === 'custom');
    const cleared = Object.fromEntries((months?.names ?? []).map((name) => [name, undefined]));
    const period = periods.find((one) => one === value);
    if (value === 'custom') {
      // The days begin as the months that were shown.
      const days = months && daysOfMonths(months.first, months.last);
      if (days) setSearch({ ...cleared, [from]: days.from, [to]: days.to });
      return;
    }
    const days = period && daysOf(period, today);
    setSearch({ ...(value !== MONTHS && cleared), [from]: days?.from, [to]: days?.to });
  }
  const choices = [
    ...(months ? [[MONTHS, `Months: ${months.text}`] as const] : []),
    ...periods.map((period) => [period, periodNames[period]] as const),
    ['custom', 'Custom'] as const,
  ];
  return (
    <>
      <FilterChoice label="Period" none="Any time" value={shown} onChange={choose} choices={choices} />
      {shown === 'custom' && (
        <>
          <DateField
            label="From"
            max={search[to]}
            value={search[from]}
            onChange={(day) => setSearch({ [from]: day })}
          />
          <DateField label="To" min={search[from]} value={search[to]} onChange={(day) => setSearch({ [to]: day })} />
        </>
      )}
    </>
  );
}
