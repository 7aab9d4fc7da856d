import { useConnectionNames } from '../../lib/connection-names.ts';

export function useStreamName(companyId: string): (connectionId: string | null) => string {
  const names = useConnectionNames(companyId);
  return (connectionId) => (connectionId === null ? 'Unassigned' : (names.get(connectionId)?.name ?? connectionId));
}
