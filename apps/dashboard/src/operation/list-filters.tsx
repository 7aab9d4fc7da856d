import type { ReactNode } from 'react';
import { sentenceCase } from '../components/badge.tsx';
import { FilterBar, FilterChoice, type FilterChoices, FilterText, labelled } from '../components/filter-bar.tsx';
import { FilterChips } from '../components/filter-chips.tsx';
import { Fold } from '../components/fold.tsx';

export interface FilterOptions {
  label?: string;
  more?: boolean;
  placeholder?: string;
  className?: string;
  choices?: FilterChoices;
  none?: string;
  /** The text of its chip while its control is folded, or undefined for no chip. By default its label and value. */
  chip?: (value: string) => string | undefined;
  /** The filter that one control sets together with this one. */
  partOf?: string;
  /** The filter without which this one selects nothing, and with which it is cleared. */
  needs?: string;
  slot?: (field: { value: string | undefined; onChange: (value: string | undefined) => void }) => ReactNode;
}

export interface ListFiltersProps {
  noun: string;
  filters: Readonly<Record<string, FilterOptions>>;
  /** The values that the service takes for a filter, by its name. */
  values: Readonly<Record<string, readonly string[]>>;
  search: Search;
  setSearch: (change: Search) => void;
}

type Search = Readonly<Record<string, string | undefined>>;

export function ListFilters({ noun, filters, values, search, setSearch }: ListFiltersProps): React.JSX.Element {
  const entries = Object.entries(filters);
  const isSet = (name: string): boolean => search[name] !== undefined;
  const active = entries.filter(([name, { partOf: whole }]) => isSet(name) && (whole === undefined || !isSet(whole)));
  const first = entries.filter(([, options]) => !options.more);
  const more = entries.filter(([, options]) => options.more);
  const chips = active.flatMap(([name, options]) => {
    const text = options.more ? chipText(name, options, values[name], search[name] ?? '') : undefined;
    return text === undefined ? [] : [{ name, text, needs: options.needs }];
  });
  const clear = (cleared: string): void => {
    const goes = entries.filter(([name, { partOf, needs }]) => [name, partOf, needs].includes(cleared));
    setSearch(Object.fromEntries(goes.map(([name]) => [name, undefined])));
  };
  const control = ([name, options]: readonly [string, FilterOptions]): React.JSX.Element => (
    <Filter
      key={name}
      name={name}
      options={options}
      values={values[name]}
      value={search[name]}
      onChange={(value) => (value === undefined ? clear(name) : setSearch({ [name]: value }))}
    />
  );
  return (
    <FilterBar
      label={`Filter ${noun}`}
      active={active.length}
      onClear={() => setSearch(Object.fromEntries(entries.map(([name]) => [name, undefined])))}
      // Two stand side by side.
      folds={first.length > 2}
      more={
        more.length > 0 && (
          <>
            <FilterChips chips={chips} onRemove={clear} />
            <Fold title="More filters" opens={false} titleClass="w-fit rounded text-sm font-medium text-accent">
              <div className="mt-3 flex flex-wrap items-start gap-3">{more.map(control)}</div>
            </Fold>
          </>
        )
      }
    >
      {first.map(control)}
    </FilterBar>
  );
}

function chipText(
  name: string,
  { label = sentenceCase(name), chip, choices }: FilterOptions,
  values: readonly string[] | undefined,
  value: string,
): string | undefined {
  if (chip) return chip(value);
  const shown = labelled(choices ?? values ?? []).find(([choice]) => choice === value)?.[1] ?? value;
  return `${label}: ${shown}`;
}

interface FilterProps {
  name: string;
  options: FilterOptions;
  values: readonly string[] | undefined;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

function Filter({ name, options, values, value, onChange }: FilterProps): ReactNode {
  const label = options.label ?? sentenceCase(name);
  const choices = options.choices ?? values;
  if (options.slot) return options.slot({ value, onChange });
  if (choices) {
    return <FilterChoice label={label} value={value} onChange={onChange} choices={choices} none={options.none} />;
  }
  const { placeholder, className } = options;
  return <FilterText {...{ label, placeholder, className, value, onChange }} />;
}
