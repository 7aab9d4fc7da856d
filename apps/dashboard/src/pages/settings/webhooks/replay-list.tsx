import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { StatusBadge } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { ConfirmDialog } from '../../../components/dialog.tsx';
import { EmptyState, ErrorState, Loading } from '../../../components/states.tsx';
import { Instant } from '../../../components/time.tsx';
import { type Outputs, useTRPC } from '../../../lib/trpc.ts';
import { usePermission } from '../../../lib/use-session.ts';
import { useOperation } from '../../../operation/use-operation.ts';
import { describeWait, progressOf } from './replay-draft.view.ts';

type Replay = Outputs['replays']['get'];

const WATCH_MS = 1_000;
const SHOWN = 50;

export function ReplayList({ endpointId }: { endpointId: string }): React.JSX.Element {
  const trpc = useTRPC();
  const replays = useQuery(
    trpc.replays.list.queryOptions(
      { endpoint_id: endpointId, limit: SHOWN },
      {
        refetchInterval: ({ state }) =>
          state.data?.data.some(({ status }) => status === 'running') ? WATCH_MS : false,
      },
    ),
  );
  if (replays.isLoading) {
    return (
      <div className="px-5">
        <Loading label="Loading replays" />
      </div>
    );
  }
  if (!replays.data) {
    return (
      <div className="px-5 pb-4">
        <ErrorState error={replays.error} onRetry={() => void replays.refetch()} />
      </div>
    );
  }
  if (replays.data.data.length === 0) {
    return (
      <EmptyState title="Nothing was replayed yet">
        A replay sends events of the past to this endpoint in the background, after fresh ones.
      </EmptyState>
    );
  }
  return (
    <ul>
      {replays.data.data.map((replay) => (
        <ReplayRow key={replay.id} replay={replay} />
      ))}
    </ul>
  );
}

function ReplayRow({ replay }: { replay: Replay }): React.JSX.Element {
  const percent = progressOf(replay);
  const running = replay.status === 'running';
  const wait = running ? describeWait(replay.waiting_for) : undefined;
  return (
    <li className="flex flex-col gap-2 border-b px-5 py-3 text-sm last:border-b-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StatusBadge status={replay.status} />
        <span className="font-medium">
          {replay.kind === 'recover' ? 'Recover' : 'Replay'}: {selectionWords[replay.only]}
        </span>
        <span className="text-muted">
          since <Instant at={replay.since} />
          {replay.until !== null && (
            <>
              {' '}
              until <Instant at={replay.until} />
            </>
          )}
        </span>
        <span className="flex-1" />
        <ReplayActions replay={replay} />
      </div>
      <div
        role="progressbar"
        aria-label="Deliveries that have ended"
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-2 overflow-hidden rounded-full bg-sunken"
      >
        <span className="block h-full bg-accent" style={{ width: `${percent}%` }} />
      </div>
      <p className="flex flex-wrap gap-x-4 text-xs text-muted tabular-nums">
        <span>{replay.matched.toLocaleString('en')} to send</span>
        <span>{replay.enqueued.toLocaleString('en')} handed over</span>
        <span>{replay.delivered.toLocaleString('en')} delivered</span>
        <span>{replay.open.toLocaleString('en')} open</span>
        <span>{replay.failed.toLocaleString('en')} failed</span>
        <span>{replay.cancelled.toLocaleString('en')} cancelled</span>
        <Link
          to="/settings/webhooks/$endpointId"
          params={{ endpointId: replay.endpoint_id }}
          search={{ tab: 'deliveries', replay_id: replay.id }}
          className="text-accent underline"
        >
          Its deliveries
        </Link>
      </p>
      {wait !== undefined && <p className="text-xs text-warn">{wait}</p>}
      {replay.error !== null && <p className="text-xs text-bad">{replay.error.message}</p>}
    </li>
  );
}

const selectionWords = {
  failed: 'what was given up',
  missing: 'what never arrived',
  all: 'everything again',
} as const;

function ReplayActions({ replay }: { replay: Replay }): React.JSX.Element | null {
  const may = usePermission();
  const [asked, setAsked] = useState(false);
  const pause = useOperation('replays.pause', { done: 'The replay is paused.' });
  const resume = useOperation('replays.resume', { done: 'The replay goes on.' });
  const cancel = useOperation('replays.cancel', {
    quiet: true,
    done: 'The replay is cancelled.',
    onDone: () => setAsked(false),
  });
  const { status } = replay;
  const input = { replay_id: replay.id };
  if (!may('replays.cancel') || (status !== 'running' && status !== 'paused')) return null;
  return (
    <span className="flex gap-2">
      {status === 'running' ? (
        <Button size="small" busy={pause.isPending} onClick={() => pause.mutate(input)}>
          Pause replay
        </Button>
      ) : (
        <Button size="small" busy={resume.isPending} onClick={() => resume.mutate(input)}>
          Resume replay
        </Button>
      )}
      <Button size="small" variant="danger" onClick={() => setAsked(true)}>
        Cancel replay
      </Button>
      <ConfirmDialog
        open={asked}
        onClose={() => setAsked(false)}
        title="Cancel this replay?"
        confirm="End the replay"
        danger
        busy={cancel.isPending}
        error={cancel.error}
        onConfirm={() => cancel.mutate(input)}
      >
        <p>
          Those of its deliveries that have not ended are cancelled. One that is being sent at this moment may still
          arrive.
        </p>
      </ConfirmDialog>
    </span>
  );
}
