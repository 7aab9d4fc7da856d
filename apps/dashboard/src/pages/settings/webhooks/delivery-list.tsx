import { Fragment } from 'react';
import { StatusBadge, sentenceCase } from '../../../components/badge.tsx';
import { type Column, rowLink } from '../../../components/data-table.tsx';
import { RecordLink } from '../../../components/record-link.tsx';
import { useZone } from '../../../components/shell/company-context.ts';
import { TwoLines } from '../../../components/table-cells.tsx';
import { Ago, Ahead } from '../../../components/time.tsx';
import { withLocalTimes } from '../../../lib/format-time.ts';
import type { Outputs } from '../../../lib/trpc.ts';
import { OpenLink, ResourceList } from '../../../operation/resource-list.tsx';
import { endpointNames, endpointWords, outcomeOf } from './attempt.view.ts';
import { attemptsOf } from './rate-and-retries.tsx';
import { type Endpoint, useEndpoints } from './use-endpoints.ts';

type Delivery = Outputs['deliveries']['list']['data'][number];

/** Row height in px; the reason takes up to five lines. */
const ROW = 88;
/** Polling interval in ms: attempts emit no event. */
const REFRESH_MS = 3_000;

export function DeliveryList({ endpointId }: { endpointId?: string }): React.JSX.Element {
  const endpoints = useEndpoints().data?.data ?? [];
  const isAll = endpointId === undefined;
  return (
    <ResourceList
      list="deliveries.list"
      noun="deliveries"
      fixed={isAll ? {} : { endpoint_id: endpointId }}
      filters={{
        status: {},
        ...(isAll
          ? { endpoint_id: { label: 'Endpoint', choices: [...endpointNames(endpoints)] } }
          : { replay_id: { label: 'Replay ID', placeholder: 'rpl_…' } }),
        event_type: {},
      }}
      refetchInterval={() => REFRESH_MS}
      columns={columnsOf(new Map(endpoints.map((one) => [one.id, one])), isAll)}
      rowHeight={ROW}
      exports
      empty={{
        title: 'No deliveries yet',
        text: 'Each event creates a delivery for every subscribed endpoint. To see one now, open an endpoint and send a test event.',
      }}
    />
  );
}

function columnsOf(endpoints: ReadonlyMap<string, Endpoint>, isAll: boolean): Column<Delivery>[] {
  const endpoint: Column<Delivery> = {
    title: 'Endpoint',
    grow: 1.5,
    wide: true,
    cell: ({ endpoint_id: id }) => <EndpointCell id={id} endpoint={endpoints.get(id)} />,
  };
  return [
    { title: 'Event', grow: 2.1, cell: (row) => <EventCell delivery={row} /> },
    ...(isAll ? [endpoint] : []),
    {
      title: 'Attempts',
      grow: 0.75,
      align: 'end',
      wide: true,
      cell: (row) => <AttemptCell delivery={row} schedule={endpoints.get(row.endpoint_id)?.retry_schedule} />,
    },
    { title: 'Status', grow: 1.75, nowrap: true, cell: (row) => <StatusCell delivery={row} /> },
    {
      title: 'Time (ms)',
      grow: 0.65,
      align: 'end',
      wide: true,
      cell: ({ last_duration_ms: ms }) => <span className="tabular-nums">{ms ?? '–'}</span>,
    },
    {
      title: 'Next attempt',
      grow: 1.3,
      wide: true,
      nowrap: true,
      cell: ({ next_attempt_at: at }) => (at === null ? <span className="text-muted">–</span> : <Ahead at={at} />),
    },
    { title: 'Reason', grow: 2.4, wide: true, cell: (row) => <ReasonCell delivery={row} /> },
    {
      title: 'Created',
      grow: 1.6,
      nowrap: true,
      cell: ({ created_at: at }) => (
        <span className="text-xs md:text-sm">
          <Ago at={at} />
        </span>
      ),
    },
  ];
}

function EventCell({ delivery }: { delivery: Delivery }): React.JSX.Element {
  return (
    <OpenLink
      id={delivery.id}
      as="delivery"
      className={`${rowLink} line-clamp-3 text-xs whitespace-normal wrap-anywhere text-accent hover:underline md:text-sm`}
      title={delivery.event_type}
    >
      {delivery.event_type.split('.').map((word, i) => (
        <Fragment key={word}>
          {i > 0 && '.'}
          <wbr />
          {word}
        </Fragment>
      ))}
    </OpenLink>
  );
}

function EndpointCell({ id, endpoint }: { id: string; endpoint: Endpoint | undefined }): React.JSX.Element {
  if (endpoint === undefined) return <span className="text-muted">{id} (deleted)</span>;
  const { first, below } = endpointWords(endpoint.url, endpoint.description);
  const link = <RecordLink record={{ id }} text={first} title={endpoint.url} />;
  return <TwoLines top={link} below={below} />;
}

function AttemptCell({ delivery, schedule }: { delivery: Delivery; schedule: readonly number[] | null | undefined }) {
  const most = attemptsOf(schedule);
  const { attempt_count: all, immediate_retry_count: repeats } = delivery;
  const title = `${all - repeats} of ${most} scheduled attempts${repeats === 0 ? '' : `, ${repeats} repeated at once`}`;
  return (
    <span className="tabular-nums" title={title}>
      {all - repeats}/{most}
      {repeats > 0 && <span className="text-muted"> +{repeats}</span>}
    </span>
  );
}

function StatusCell({ delivery }: { delivery: Delivery }): React.JSX.Element {
  const { last_status_code: code, last_error: error, status, attempt_count: count } = delivery;
  const text = outcomeOf({ status_code: code, error });
  return (
    <span title={`${sentenceCase(status)}, ${text}`} className="flex items-center gap-2">
      <StatusBadge status={status} />
      {count > 0 && (
        <span
          className={`hidden max-w-28 truncate tabular-nums sm:inline ${error === null ? 'text-muted' : 'text-bad'}`}
        >
          {text}
        </span>
      )}
    </span>
  );
}

function ReasonCell({ delivery: { reason } }: { delivery: Delivery }): React.JSX.Element {
  const text = withLocalTimes(reason ?? '–', useZone());
  return (
    <p title={text} className="line-clamp-5 text-xs whitespace-normal wrap-anywhere text-muted">
      {text}
    </p>
  );
}
