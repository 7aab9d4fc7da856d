import { useConnectionNames } from '../../data/use-connection-names.ts';

/** Gives a stream the name that people know: its account's, where it is a registered connection. */
export function useStreamName(companyId: string): (connectionId: string | null) => string {
  const names = useConnectionNames(companyId);
  return (connectionId) => (connectionId === null ? 'Unassigned' : (names.get(connectionId)?.name ?? connectionId));
}
