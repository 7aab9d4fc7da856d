import { SelectField } from '../../../components/field.tsx';
import { FilterBar, FilterChoice } from '../../../components/filter-bar.tsx';
import { useEventTypes } from '../../../lib/use-event-types.ts';
import { endpointNames } from './attempt.view.ts';
import { useEndpoints } from './use-endpoints.ts';

export interface DeliverySearch {
  status?: string;
  endpoint_id?: string;
  event_type?: string;
}

const statuses = [
  ['undelivered', 'Undelivered'],
  ['pending', 'Pending'],
  ['retrying', 'Retrying'],
  ['succeeded', 'Succeeded'],
  ['failed', 'Failed'],
  ['cancelled', 'Cancelled'],
] as const;

export interface DeliveryFiltersProps {
  search: DeliverySearch;
  onChange: (part: { [K in keyof DeliverySearch]?: string | undefined }) => void;
  oneEndpoint: boolean;
}

export function DeliveryFilters({ search, onChange, oneEndpoint }: DeliveryFiltersProps): React.JSX.Element {
  const types = useEventTypes();
  const any = search.status ?? search.event_type ?? (oneEndpoint ? undefined : search.endpoint_id);
  return (
    <FilterBar
      label="Filter deliveries"
      isSet={any !== undefined}
      onClear={() => onChange({ status: undefined, endpoint_id: undefined, event_type: undefined })}
    >
      <FilterChoice
        label="Status"
        value={search.status}
        onChange={(next) => onChange({ status: next })}
        choices={statuses}
        className="min-w-36"
      />
      {!oneEndpoint && <EndpointFilter value={search.endpoint_id} onChange={(id) => onChange({ endpoint_id: id })} />}
      <FilterChoice
        label="Event type"
        value={search.event_type}
        onChange={(next) => onChange({ event_type: next })}
        choices={types.data?.data.map(({ type }) => [type, type] as const) ?? []}
        className="min-w-44"
      />
    </FilterBar>
  );
}

function EndpointFilter({
  value,
  onChange,
}: {
  value: string | undefined;
  onChange: (id: string | undefined) => void;
}) {
  const endpoints = useEndpoints();
  const listed = endpoints.data?.data ?? [];
  const known = value === undefined || listed.some(({ id }) => id === value);
  return (
    <SelectField
      label="Endpoint"
      className="max-w-72 min-w-44"
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value || undefined)}
    >
      <option value="">Any</option>
      {!known && <option value={value}>{value}</option>}
      {[...endpointNames(listed)].map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
