import type { Filters } from './keyset.ts';

/**
 * Filters of a list of what expires by itself, by `status` and `updated_at`. A pending row counts as expired from its
 * `expires_at` on, as it reads, before a job stores that.
 */
export function filterExpiring(
  filters: Filters,
  input: { status?: string | undefined; updated_since?: string | undefined },
  now: Date,
): void {
  const shown = (told: string, stored: string): string =>
    `CASE WHEN status = 'pending' AND expires_at <= ${filters.bind(now.toISOString())} THEN ${told} ELSE ${stored} END`;
  if (input.status !== undefined) filters.where(input.status, `${shown("'expired'", 'status')} = ?`);
  if (input.updated_since !== undefined) {
    filters.whereInstant(input.updated_since, `${shown('expires_at', 'updated_at')} >= ?`);
  }
}
