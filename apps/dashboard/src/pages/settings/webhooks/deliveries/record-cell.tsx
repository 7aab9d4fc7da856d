import { connectionName } from '@finhook/contracts/connection-name';
import { useQuery } from '@tanstack/react-query';
import { textIn } from '../../../../lib/problem.ts';
import { useTRPC } from '../../../../lib/trpc.ts';
import { useEvent } from '../use-endpoints.ts';
import { batchName, recordText } from './record.view.ts';
import type { Listed } from './retry.view.ts';

export function RecordCell({ delivery }: { delivery: Listed }): React.JSX.Element {
  const { text, isLoading } = useRecord(delivery);
  if (text === undefined) return <span className="text-muted">{isLoading ? '…' : '–'}</span>;
  return <span title={text}>{text}</span>;
}

interface Record {
  text: string | undefined;
  /** The record as the event has it; undefined if there are many, or if the event is not stored. */
  stored: unknown;
  isLoading: boolean;
}

/** What a delivery's event is about. */
export function useRecord({ event_id: eventId, event_type: type }: Pick<Listed, 'event_id' | 'event_type'>): Record {
  const batch = batchName(type);
  const event = useEvent(eventId, batch === undefined);
  const stored = event.data?.data;
  const name = useConnectionName(textIn(stored, 'connection_id'));
  return { text: batch ?? recordText(stored, () => name), stored, isLoading: event.isLoading };
}

/** Only registered accounts have a name: rows of a provider carry its own text. */
function useConnectionName(id: string | undefined): string | undefined {
  const trpc = useTRPC();
  const isKnown = id?.startsWith('conn_') === true;
  const { data } = useQuery(
    trpc.bank.connections.get.queryOptions(
      { connection_id: id ?? '' },
      { enabled: isKnown, retry: false, staleTime: Number.POSITIVE_INFINITY },
    ),
  );
  return data && connectionName(data);
}
