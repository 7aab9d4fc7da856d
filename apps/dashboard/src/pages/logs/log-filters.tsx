import { useId } from 'react';
import { SelectField } from '../../components/field.tsx';
import { FilterBar, FilterChoice, FilterDay, FilterText } from '../../components/filter-bar.tsx';
import { useCompanies } from '../../lib/use-companies.ts';
import { useEventTypes } from '../../lib/use-event-types.ts';
import { loggedActions } from '../../operation/operations.catalogue.ts';
import { OlderCompanies } from '../../operation/record-options.tsx';
import { type LogSearch, logFilterNames } from './log-search.ts';

const actorTypes = [
  ['user', 'User'],
  ['api_key', 'API key'],
  ['agent', 'Agent'],
  ['staff', 'Staff'],
  ['system', 'System'],
] as const;

export function LogFilters({
  search,
  onChange,
}: {
  search: LogSearch;
  onChange: (next: { [K in (typeof logFilterNames)[number]]?: string | undefined }) => void;
}): React.JSX.Element {
  const suggestions = useId();
  return (
    <FilterBar
      label="Filter the activity log"
      isSet={logFilterNames.some((name) => search[name] !== undefined)}
      onClear={() => onChange(Object.fromEntries(logFilterNames.map((name) => [name, undefined])))}
    >
      <EventTypeFilter value={search.type} onChange={(next) => onChange({ type: next })} />
      <FilterText
        label="Action"
        value={search.action}
        onChange={(action) => onChange({ action })}
        list={suggestions}
        placeholder="companies.update"
        className="w-52"
      />
      <datalist id={suggestions}>
        {loggedActions.map((action) => (
          <option key={action} value={action} />
        ))}
      </datalist>
      <CompanyFilter value={search.log_company} onChange={(id) => onChange({ log_company: id })} />
      <FilterChoice
        label="Actor"
        value={search.actor_type}
        onChange={(next) => onChange({ actor_type: next })}
        choices={actorTypes}
        none="Anyone"
        className="w-40"
      />
      <FilterText
        label="Actor id"
        value={search.actor_id}
        onChange={(id) => onChange({ actor_id: id })}
        placeholder="key_…"
        className="w-40"
      />
      <FilterText
        label="Record id"
        value={search.resource_id}
        onChange={(id) => onChange({ resource_id: id })}
        placeholder="co_…"
        className="w-40"
      />
      <FilterDay label="From day" value={search.from} onChange={(next) => onChange({ from: next })} className="w-40" />
      <FilterDay label="To day" value={search.to} onChange={(next) => onChange({ to: next })} className="w-40" />
    </FilterBar>
  );
}

interface ChoiceProps {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/**
 * Event types by group. A type that the catalogue lacks (from an old link) stays selected, and the service rejects it.
 */
function EventTypeFilter({ value, onChange }: ChoiceProps): React.JSX.Element {
  const { data } = useEventTypes();
  const types = data?.data ?? [];
  const groups = [...new Set(types.map(({ group }) => group))];
  return (
    <SelectField
      label="Event type"
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value || undefined)}
      className="w-56"
    >
      <option value="">All, including without an event</option>
      {value !== undefined && !types.some(({ type }) => type === value) && <option value={value}>{value}</option>}
      {groups.map((group) => (
        <optgroup key={group} label={group}>
          {types
            .filter((one) => one.group === group)
            .map(({ type }) => (
              <option key={type} value={type}>
                {type}
              </option>
            ))}
        </optgroup>
      ))}
    </SelectField>
  );
}

function CompanyFilter({ value, onChange }: ChoiceProps): React.JSX.Element {
  const { all: companies, hasMore } = useCompanies();
  return (
    <SelectField
      label="Company"
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value || undefined)}
      className="w-44"
    >
      <option value="">All companies</option>
      {value !== undefined && !companies.some(({ id }) => id === value) && <option value={value}>{value}</option>}
      {companies.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      <OlderCompanies hasMore={hasMore} />
    </SelectField>
  );
}
