import { Link } from '@tanstack/react-router';
import { StatusBadge, sentenceCase } from '../../../../components/badge.tsx';
import { RecordLink } from '../../../../components/record-link.tsx';
import { rowLink } from '../../../../components/table-cells.tsx';
import type { Column } from '../../../../components/table-head.tsx';
import { Ahead, ShortInstant } from '../../../../components/time.tsx';
import type { RowSelection } from '../../../../lib/use-selection.ts';
import { movingOn, opening, useListSearch } from '../../../../operation/resource-list.tsx';
import { endpointWords, outcomeOf } from '../attempt.view.ts';
import { attemptsOf } from '../rate-and-retries.tsx';
import type { Endpoint } from '../use-endpoints.ts';
import { shown } from './pane-search.ts';
import { RecordCell } from './record-cell.tsx';
import { canRetry, type Listed } from './retry.view.ts';

interface Layout {
  endpoints: ReadonlyMap<string, Endpoint>;
  hasEndpoint: boolean;
  /** The pane is beside the list and leaves room for few columns. */
  isNarrow: boolean;
  /** For the selection and the status, beside the code of the last response. */
  hasRoom: boolean;
  /** Undefined if the user may not retry. */
  selection: RowSelection<Listed> | undefined;
}

export function columnsOf({ endpoints, hasEndpoint, isNarrow, hasRoom, selection }: Layout): Column<Listed>[] {
  const wide = (column: Column<Listed>): Column<Listed>[] => (isNarrow ? [] : [{ wide: true, ...column }]);
  return [
    ...(selection === undefined || !hasRoom ? [] : [selectColumn(selection)]),
    { title: 'Created', grow: 1, nowrap: true, zoned: true, cell: ({ created_at: at }) => <ShortInstant at={at} /> },
    { title: 'Event type', grow: 2, cell: (row) => <EventCell delivery={row} /> },
    ...wide({ title: 'Record', grow: 2, cell: (row) => <RecordCell delivery={row} /> }),
    ...(hasEndpoint
      ? wide({
          title: 'Endpoint',
          grow: 1.4,
          cell: ({ endpoint_id: id }) => <EndpointCell id={id} endpoint={endpoints.get(id)} />,
        })
      : []),
    {
      title: 'Last response',
      grow: 1,
      nowrap: true,
      cell: (row) => <StatusCell delivery={row} hasStatus={hasRoom || row.attempt_count === 0} />,
    },
    ...wide({
      title: 'Attempts',
      wide: 'large',
      grow: 0.5,
      align: 'end',
      cell: (row) => <AttemptCell delivery={row} schedule={endpoints.get(row.endpoint_id)?.retry_schedule} />,
    }),
    ...wide({
      title: 'Next attempt',
      wide: 'large',
      grow: 0.9,
      nowrap: true,
      cell: ({ next_attempt_at: at }) => (at === null ? <span className="text-muted">–</span> : <Ahead at={at} />),
    }),
  ];
}

function selectColumn({ rows, toggle }: RowSelection<Listed>): Column<Listed> {
  return {
    title: 'Select',
    grow: 0.1,
    wide: true,
    nowrap: true,
    cell: (row) => (
      <label className="relative z-1 flex size-7 cursor-pointer items-center justify-center">
        <input
          type="checkbox"
          aria-label={`Select ${row.event_type}, ${row.id}`}
          disabled={!canRetry(row)}
          checked={rows.has(row.id)}
          onChange={() => toggle(row)}
          className="size-4 accent-accent"
        />
      </label>
    ),
  };
}

function EventCell({ delivery: { id, event_type: type } }: { delivery: Listed }): React.JSX.Element {
  const { delivery } = useListSearch().search;
  return (
    <Link
      to="."
      search={(search) => ({ ...search, ...shown(id) })}
      {...(delivery === undefined ? opening : movingOn)}
      preload={false}
      title={type}
      data-delivery={id}
      aria-current={delivery === id ? 'true' : undefined}
      className={`${rowLink} line-clamp-2 text-xs leading-4 whitespace-normal wrap-anywhere -outline-offset-2 text-accent hover:underline xl:block xl:truncate xl:text-sm`}
    >
      {type}
    </Link>
  );
}

function EndpointCell({ id, endpoint }: { id: string; endpoint: Endpoint | undefined }): React.JSX.Element {
  if (endpoint === undefined) return <span className="text-muted">{id} (deleted)</span>;
  const { first, below } = endpointWords(endpoint.url, endpoint.description);
  return <RecordLink record={{ id }} text={first} title={`${first} ${below}`} />;
}

function AttemptCell({ delivery, schedule }: { delivery: Listed; schedule: readonly number[] | null | undefined }) {
  const most = attemptsOf(schedule);
  const { attempt_count: all, immediate_retry_count: repeats } = delivery;
  const title = `${all - repeats} of ${most} scheduled attempts${repeats === 0 ? '' : `, ${repeats} repeated immediately`}`;
  return (
    <span className="tabular-nums" title={title}>
      {all - repeats}/{most}
      {repeats > 0 && <span className="text-muted"> +{repeats}</span>}
    </span>
  );
}

function StatusCell({ delivery, hasStatus }: { delivery: Listed; hasStatus: boolean }): React.JSX.Element {
  const { last_status_code: code, last_error: error, status, attempt_count: count } = delivery;
  const text = outcomeOf({ status_code: code, error });
  return (
    <span
      title={`${sentenceCase(status)}, ${text}`}
      className="flex flex-col items-start sm:flex-row sm:items-center sm:gap-2"
    >
      {hasStatus && <StatusBadge status={status} />}
      {count > 0 && (
        <span
          className={`max-w-full truncate text-xs tabular-nums sm:max-w-28 sm:text-sm ${error === null ? 'text-muted' : 'text-bad'}`}
        >
          {code ?? text}
        </span>
      )}
    </span>
  );
}
