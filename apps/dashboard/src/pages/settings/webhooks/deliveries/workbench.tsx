import { useState } from 'react';
import { DataTable } from '../../../../components/data-table.tsx';
import { ExportMenu } from '../../../../components/links.tsx';
import { Panel } from '../../../../components/page.tsx';
import { EmptyState } from '../../../../components/states.tsx';
import type { KeysetRows } from '../../../../lib/keyset-rows.ts';
import { useMinWidth } from '../../../../lib/use-min-width.ts';
import { useSelection } from '../../../../lib/use-selection.ts';
import { usePermission } from '../../../../lib/use-session.ts';
import { listPaths } from '../../../../operation/fields.catalogue.ts';
import { useListRows, useListSearch } from '../../../../operation/resource-list.tsx';
import { deliveryFilterNames } from '../../../../search-names.ts';
import { useEndpoints } from '../use-endpoints.ts';
import { BulkRetry, SelectUndelivered } from './bulk-retry.tsx';
import { columnsOf } from './delivery-table.tsx';
import { DeliveryFilters } from './filters.tsx';
import { filtersOf, timeOf, timeQuery } from './filters.view.ts';
import { Histogram } from './histogram.tsx';
import { DeliveryPane } from './pane.tsx';
import type { Listed } from './retry.view.ts';
import { usePaneKeys } from './use-pane-keys.ts';

/** Deliveries per hour, the list of them, and the open one beside it: of all endpoints, or of one. */
export function DeliveryWorkbench({ endpointId }: { endpointId?: string }): React.JSX.Element {
  const { search } = useListSearch();
  const time = timeOf(search, useChosenAt(search['range']));
  const { query, fault } = filtersOf(search);
  const filters = endpointId === undefined ? query : { ...query, endpoint_id: endpointId };
  return (
    <>
      <DeliveryFilters isOfEndpoint={endpointId !== undefined} fault={fault} />
      {fault === undefined && (
        <>
          <Histogram filters={filters} time={time} />
          <ListAndPane query={{ ...filters, ...timeQuery(time) }} hasEndpoint={endpointId === undefined} />
        </>
      )}
    </>
  );
}

/** When a range was chosen, or a page with one opened. */
function useChosenAt(range: string | undefined): number {
  const [chosen, setChosen] = useState(() => ({ range, at: Date.now() }));
  if (chosen.range === range) return chosen.at;
  const next = { range, at: Date.now() };
  setChosen(next);
  return next.at;
}

/** Polling interval in ms: attempts emit no event. */
const REFRESH_MS = 3_000;
const ROW = 36;

interface ListProps {
  query: Readonly<Record<string, string | number | undefined>>;
  hasEndpoint: boolean;
}

function ListAndPane({ query, hasEndpoint }: ListProps): React.JSX.Element {
  const { search } = useListSearch();
  const rows = useListRows('deliveries.list', query, undefined, () => REFRESH_MS);
  const selection = useSelection<Listed>();
  const mayRetry = usePermission()('deliveries.retry');
  const isBeside = useMinWidth(64) && search['delivery'] !== undefined;
  const { area, onKeyDown, step, close } = usePaneKeys();
  return (
    <>
      <div
        ref={area}
        onKeyDown={onKeyDown}
        className={isBeside ? 'grid items-start gap-4 lg:grid-cols-2' : 'flex flex-col gap-4'}
      >
        <Panel
          title="All deliveries"
          flush
          actions={
            <>
              {mayRetry && <SelectUndelivered rows={loadedOf(rows)} selection={selection} />}
              {!isBeside && (
                <ExportMenu path={listPaths['deliveries.list'] ?? ''} input={query} what="these deliveries" />
              )}
            </>
          }
        >
          <Rows
            rows={rows}
            hasEndpoint={hasEndpoint}
            isNarrow={isBeside}
            selection={mayRetry ? selection : undefined}
          />
        </Panel>
        <DeliveryPane isBeside={isBeside} onStep={step} onClose={close} />
      </div>
      <BulkRetry selection={selection} />
    </>
  );
}

const READ = 1_000;

function loadedOf(rows: KeysetRows<Listed>): Listed[] {
  return Array.from({ length: Math.min(rows.count, READ) }, (_, i) => rows.rowAt(i) ?? []).flat();
}

interface RowsProps {
  rows: KeysetRows<Listed>;
  hasEndpoint: boolean;
  isNarrow: boolean;
  selection: ReturnType<typeof useSelection<Listed>> | undefined;
}

function Rows({ rows, hasEndpoint, isNarrow, selection }: RowsProps): React.JSX.Element {
  const { search } = useListSearch();
  const endpoints = new Map(useEndpoints().data?.data.map((one) => [one.id, one]));
  const hasRoom = useMinWidth(80) || !isNarrow;
  const isFiltered = deliveryFilterNames.some((name) => search[name] !== undefined);
  return (
    <DataTable
      label="Deliveries"
      rows={rows}
      columns={columnsOf({ endpoints, hasEndpoint, isNarrow, hasRoom, selection })}
      keyOf={({ id }) => id}
      rowHeight={ROW}
      empty={
        isFiltered ? (
          <EmptyState title="No deliveries match the filters">Clear the filters to see all.</EmptyState>
        ) : (
          <EmptyState title="No deliveries yet">
            Each event creates a delivery for every subscribed endpoint. To see one now, open an endpoint and send a
            test event.
          </EmptyState>
        )
      }
    />
  );
}
