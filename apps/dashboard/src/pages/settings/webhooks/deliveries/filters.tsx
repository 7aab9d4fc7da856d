import { CompanyChoice } from '../../../../components/company-choice.tsx';
import { DateField } from '../../../../components/date-field.tsx';
import { FilterBar, FilterChoice, FilterText } from '../../../../components/filter-bar.tsx';
import { useZone } from '../../../../components/shell/company-context.ts';
import { filters } from '../../../../operation/fields.catalogue.ts';
import { opening, useListSearch } from '../../../../operation/resource-list.tsx';
import { deliveryFilterNames } from '../../../../search-names.ts';
import { endpointNames } from '../attempt.view.ts';
import { useEndpoints } from '../use-endpoints.ts';
import {
  activeFilters,
  CUSTOM,
  deliveryIn,
  fieldTime,
  idFilter,
  rangeOf,
  ranges,
  searchOfRange,
  searchTime,
} from './filters.view.ts';
import { shown } from './pane-search.ts';

const choices = filters['deliveries.list'] ?? {};

/** Two controls in a row on a phone. */
const half = 'min-w-[45%] flex-1 sm:min-w-0 sm:flex-none';

interface DeliveryFiltersProps {
  /** Of the page of one endpoint. */
  isOfEndpoint: boolean;
  fault: string | undefined;
}

export function DeliveryFilters({ isOfEndpoint, fault }: DeliveryFiltersProps): React.JSX.Element {
  const { search, setSearch } = useListSearch();
  const endpoints = useEndpoints().data?.data ?? [];
  const field = (name: (typeof deliveryFilterNames)[number]) => ({
    value: search[name],
    onChange: (value: string | undefined) => setSearch({ [name]: value }),
  });
  const openOrFilter = (value: string | undefined): void => {
    const id = value?.trim();
    const delivery = deliveryIn(id);
    if (delivery === undefined) setSearch({ id });
    else setSearch({ id, ...shown(delivery) }, opening);
  };
  return (
    <div className="flex flex-col gap-2">
      <FilterBar
        label="Filter deliveries"
        folds
        active={activeFilters(search)}
        onClear={() => setSearch(Object.fromEntries(deliveryFilterNames.map((name) => [name, undefined])))}
      >
        <FilterText
          label="ID"
          placeholder="evt_…, dlv_…, txn_…"
          className="w-full sm:w-52"
          spellCheck={false}
          value={search['id']}
          onChange={openOrFilter}
        />
        <FilterChoice label="Status" className={half} choices={choices['status'] ?? []} {...field('status')} />
        <FilterText
          label="Response code"
          inputMode="numeric"
          className={`${half} sm:w-27`}
          {...field('response_code')}
        />
        <FilterChoice
          label="Event type"
          className={`${half} sm:max-w-48`}
          choices={choices['event_type'] ?? []}
          {...field('event_type')}
        />
        {!isOfEndpoint && (
          <FilterChoice
            label="Endpoint"
            className={`${half} sm:max-w-40`}
            choices={[...endpointNames(endpoints)]}
            {...field('endpoint_id')}
          />
        )}
        {!isOfEndpoint && <CompanyChoice className={`${half} sm:max-w-36`} {...field('event_company')} />}
        <TimeFilter />
      </FilterBar>
      <p role="status" className={`text-sm ${fault === undefined ? 'text-muted' : 'text-bad'}`}>
        {fault ?? idFilter(search['id']).note}
      </p>
    </div>
  );
}

function TimeFilter(): React.JSX.Element {
  const { search, setSearch } = useListSearch();
  const zone = useZone();
  const range = rangeOf(search);
  return (
    <>
      <FilterChoice
        label="Time"
        className={half}
        none="Any time"
        value={range}
        choices={[...ranges.map(([name, label]) => [name, label] as const), [CUSTOM, 'Custom']]}
        onChange={(next) => setSearch(searchOfRange(next, Date.now()))}
      />
      {range === CUSTOM &&
        (
          [
            ['from', 'From'],
            ['to', 'To'],
          ] as const
        ).map(([name, label]) => (
          <DateField
            key={name}
            label={label}
            time
            value={fieldTime(search[name], zone)}
            onChange={(time) => setSearch({ [name]: time && searchTime(time, zone) })}
          />
        ))}
    </>
  );
}
