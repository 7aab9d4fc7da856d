import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '../../components/badge.tsx';
import { CopyId } from '../../components/copy.tsx';
import { DateField } from '../../components/date-field.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { RecordDialog } from '../../components/dialog.tsx';
import { FilterText } from '../../components/filter-bar.tsx';
import { Page } from '../../components/page.tsx';
import { isRecordId, RecordLink } from '../../components/record-link.tsx';
import { useZone } from '../../components/shell/company-context.ts';
import { TWO_LINES, TwoLines } from '../../components/table-cells.tsx';
import type { Column } from '../../components/table-head.tsx';
import { Ago, Instant } from '../../components/time.tsx';
import { type Outputs, useTRPC } from '../../lib/trpc.ts';
import { dayStart } from '../../lib/zoned-time.ts';
import { OpenLink, opening, ResourceList, useListSearch } from '../../operation/resource-list.tsx';

type LoggedRequest = Outputs['requests']['get'];

const REFETCH_MS = 5_000;

/** The requests of integrations: those of the dashboard are not in this log. */
export function RequestsPage(): React.JSX.Element {
  const zone = useZone();
  return (
    <Page title="Requests" intro="API requests. Bodies aren’t stored; see Activity log for changes.">
      <ResourceList
        list="requests.list"
        noun="requests"
        fixed={{}}
        filters={{
          id: { slot: () => <RequestIdField /> },
          outcome: { label: 'Outcome' },
          operation: { label: 'Operation', placeholder: 'companies.create' },
          code: { label: 'Error code', placeholder: 'company_not_found' },
          key_id: { label: 'API key ID', placeholder: 'key_…' },
          from: { slot: (field) => <DateField label="From" {...field} /> },
          to: { slot: (field) => <DateField label="To" {...field} /> },
        }}
        // Days are in the company's zone, the last one included.
        toQuery={({ from, to, ...filters }) => ({
          ...filters,
          created_from: from && (dayStart(from, zone) ?? from),
          created_to: to && (dayStart(to, zone, 1) ?? to),
        })}
        refetchInterval={() => REFETCH_MS}
        columns={columns}
        rowHeight={TWO_LINES}
        exports
        empty={{ title: 'No requests yet', text: 'Requests with an API key appear here within two seconds.' }}
        detail={(id, close) => <RequestDetails id={id} onClose={close} />}
      />
    </Page>
  );
}

/** Opens the request of an `x-request-id`. */
function RequestIdField(): React.JSX.Element {
  const { setSearch } = useListSearch();
  const [id, setId] = useState<string>();
  const isComplete = id !== undefined && isRecordId(id, 'req');
  return (
    <FilterText
      label="Request ID"
      placeholder="req_…"
      value={id}
      error={id === undefined || isComplete ? undefined : 'A request ID is req_ and 26 characters.'}
      onChange={(text) => {
        const typed = text?.trim();
        setId(typed);
        if (typed !== undefined && isRecordId(typed, 'req')) setSearch({ open: typed }, opening);
      }}
    />
  );
}

const columns: readonly Column<LoggedRequest>[] = [
  {
    title: 'Request',
    grow: 2,
    cell: (row) => (
      <TwoLines
        top={
          <OpenLink id={row.id} title={`${row.method} ${row.path}`}>
            {row.operation ?? `${row.method} ${row.path}`}
          </OpenLink>
        }
        below={<span title={row.path}>{`${row.method} ${row.path}`}</span>}
      />
    ),
  },
  { title: 'Status', grow: 1.3, cell: (row) => <TwoLines top={<Status row={row} />} below={row.code ?? ''} /> },
  {
    title: 'API key and address',
    grow: 1.3,
    wide: true,
    cell: (row) => <TwoLines top={<RecordLink record={{ id: row.key_id }} />} below={row.ip ?? 'Unknown IP address'} />,
  },
  {
    title: 'Time and duration',
    grow: 1.3,
    nowrap: true,
    cell: (row) => <TwoLines top={<Ago at={row.created_at} />} below={`${row.duration_ms} ms`} />,
  },
];

function Status({ row: { status } }: { row: LoggedRequest }): React.JSX.Element {
  return <Badge tone={status < 400 ? 'good' : status < 500 ? 'warn' : 'bad'}>{String(status)}</Badge>;
}

function RequestDetails({ id, onClose }: { id: string; onClose: () => void }): React.JSX.Element {
  const trpc = useTRPC();
  const query = useQuery(trpc.requests.get.queryOptions({ request_id: id }));
  return (
    <RecordDialog query={query} noun="request" title={({ operation }) => operation ?? 'Request'} onClose={onClose}>
      {(row) => (
        <DescriptionList
          entries={[
            ['Request ID', <CopyId key="id" id={row.id} what="request ID" />],
            ['Time', <Instant key="time" at={row.created_at} seconds />],
            ['Request', <code key="request" className="text-xs wrap-anywhere">{`${row.method} ${row.path}`}</code>],
            ['Status', <Status key="status" row={row} />],
            ['Error code', row.code && <code className="text-xs">{row.code}</code>],
            ['Duration', `${row.duration_ms} ms`],
            ['API key', <RecordLink key="key" record={{ id: row.key_id }} />],
            ['IP address', row.ip],
            ['User agent', row.user_agent],
            ['Idempotency key', row.idempotency_key],
            ['Response', row.idempotency_replayed ? 'Repeated from an earlier request with this key' : null],
          ]}
        />
      )}
    </RecordDialog>
  );
}
