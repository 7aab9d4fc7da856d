import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../../components/button.tsx';
import { RecordLink } from '../../../../components/record-link.tsx';
import { formatCount } from '../../../../lib/format-number.ts';
import { plural, someOf } from '../../../../lib/text.ts';
import { useTRPCClient } from '../../../../lib/trpc.ts';
import type { RowSelection } from '../../../../lib/use-selection.ts';
import { canRetry, type Listed, type Rejected, retryAll } from './retry.view.ts';

/** Retries several deliveries, a few at a time. The mutation has the key of the operation, so that the list is read again. */
function useRetryAll() {
  const client = useTRPCClient();
  const [ended, setEnded] = useState(0);
  const mutation = useMutation({
    mutationKey: ['deliveries.retry'],
    mutationFn: (ids: readonly string[]) => {
      setEnded(0);
      return retryAll(
        ids,
        (delivery_id) =>
          client.deliveries.retry.mutate({ delivery_id }, { context: { idempotencyKey: crypto.randomUUID() } }),
        () => setEnded((count) => count + 1),
      );
    },
  });
  return { ...mutation, ended };
}

/** A bar with what is selected, then the progress, then what came of it. */
export function BulkRetry({ selection }: { selection: RowSelection<Listed> }): React.JSX.Element {
  const { mutate, reset, data, variables = [], ended, isPending } = useRetryAll();
  const ids = [...selection.rows.keys()];
  const isShown = isPending || data !== undefined || ids.length > 0;
  const retry = (): void => {
    selection.clear();
    mutate(ids);
  };
  return (
    <section
      aria-label="Selection"
      className={
        isShown
          ? 'sticky bottom-3 z-20 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-xl border bg-surface px-4 py-3 text-sm shadow-lg'
          : 'sr-only'
      }
    >
      <div role="status">
        {isPending && `Retrying ${ended} of ${plural(variables.length, 'delivery', 'deliveries')}…`}
        {!isPending && ids.length > 0 && `${plural(ids.length, 'delivery', 'deliveries')} selected`}
        {!isPending && ids.length === 0 && data && (
          <>
            <p>{plural(data.started, 'retry', 'retries')} started.</p>
            {data.rejected.map((one) => (
              <RejectedIds key={one.reason} {...one} />
            ))}
          </>
        )}
      </div>
      {!isPending && isShown && (
        <div className="flex flex-wrap gap-2">
          {ids.length > 0 && (
            <Button size="small" variant="primary" onClick={retry}>
              Retry {formatCount(ids.length)} now
            </Button>
          )}
          <Button size="small" variant="quiet" onClick={ids.length > 0 ? selection.clear : reset}>
            {ids.length > 0 ? 'Clear' : 'Close'}
          </Button>
        </div>
      )}
    </section>
  );
}

function RejectedIds({ reason, ids }: Rejected): React.JSX.Element {
  const [only] = ids;
  return (
    <p className="text-bad">
      {plural(ids.length, 'delivery', 'deliveries')} not retried: {reason}{' '}
      {ids.length === 1 && only !== undefined ? <RecordLink record={{ id: only }} /> : <>({someOf(ids)})</>}
    </p>
  );
}

interface SelectAllProps {
  rows: readonly Listed[];
  selection: RowSelection<Listed>;
}

/** Selects the loaded rows that did not arrive. */
export function SelectUndelivered({ rows, selection }: SelectAllProps): React.JSX.Element | null {
  const waiting = rows.filter((row) => canRetry(row) && row.attempt_count > 0);
  if (waiting.length === 0) return null;
  return (
    <Button size="small" onClick={() => selection.set(waiting)}>
      Select {formatCount(waiting.length)} undelivered
    </Button>
  );
}
