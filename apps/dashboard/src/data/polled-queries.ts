import type { QueryClient } from '@tanstack/react-query';

/** Procedures (by the first words of their path) that read what can change without an event of the catalogue. */
export const polledQueries: readonly (readonly string[])[] = [
  ['bank', 'approvals'],
  ['cases'],
  ['agentApprovals'],
  ['financials', 'settings'],
  ['sessions'],
  ['webhookEndpoints'],
  ['replays'],
];

/** What nothing tells of is read again this often while it is in view. */
const SILENT_MS = 5_000;

/** Keeps fresh what the stream does not tell of: decisions on wires, cases that are opened or moved, sessions that end. */
export function pollQueries(client: QueryClient): void {
  for (const path of polledQueries) client.setQueryDefaults([path], { refetchInterval: SILENT_MS });
}
