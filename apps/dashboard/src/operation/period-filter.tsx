import { useState } from 'react';
import { DateField } from '../components/date-field.tsx';
import { FilterChoice } from '../components/filter-bar.tsx';
import { useZone } from '../components/shell/company-context.ts';
import { daysOf, periodNames, periodOf, periods } from '../lib/periods.ts';
import { todayIn } from '../lib/zoned-time.ts';
import { type FilterOptions, useListSearch } from './resource-list.tsx';

/** One control for two filters by day: a period, or days of one's own. */
export function periodFilter(from: string, to: string): Record<string, FilterOptions> {
  return { [from]: { slot: () => <PeriodFilter from={from} to={to} /> }, [to]: { partOf: from, slot: () => null } };
}

function PeriodFilter({ from, to }: { from: string; to: string }): React.JSX.Element {
  const { search, setSearch } = useListSearch();
  const today = todayIn(useZone());
  const [isCustom, setCustom] = useState(false);
  const set = periodOf(search[from], search[to], today);
  const shown = isCustom ? 'custom' : set;
  function choose(value: string | undefined): void {
    setCustom(value === 'custom');
    const period = periods.find((one) => one === value);
    if (value === 'custom') return;
    const days = period && daysOf(period, today);
    setSearch({ [from]: days?.from, [to]: days?.to });
  }
  return (
    <>
      <FilterChoice
        label="Period"
        none="Any time"
        value={shown}
        onChange={choose}
        choices={[...periods.map((period) => [period, periodNames[period]] as const), ['custom', 'Custom']]}
      />
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
