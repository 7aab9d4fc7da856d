import type { LoggedRequest } from '@finhook/contracts';
import { systemStatement } from '../../db/queryable.ts';
import type { Core } from '../../verbs/context.ts';

export type RequestEntry = Omit<LoggedRequest, 'object'>;

export interface RequestLog {
  note(request: RequestEntry): void;
  /** Writes the requests since the last call. Throws with the number of lost ones. */
  flush(): Promise<void>;
}

/** Requests per flush; more are counted as lost. */
const MAX_PENDING = 10_000;
/** Rate-limited requests per key and flush, so that a client in a tight loop doesn't fill the log. */
const MAX_LIMITED = 10;
const BATCH = 500;

// The log may be lost with the process, so its commits don't wait for the disk.
const insert = systemStatement(
  'insert_requests',
  `WITH unsynced AS (SELECT set_config('synchronous_commit', 'off', true))
   INSERT INTO request_log (id, account_id, created_at, method, path, operation, status, code, duration_ms, key_id, ip,
     user_agent, idempotency_key, idempotency_replayed)
   SELECT r.* FROM unsynced, json_to_recordset($1::json) AS r (id text, account_id text, created_at timestamptz, method text,
     path text, operation text, status smallint, code text, duration_ms real, key_id text, ip text, user_agent text,
     idempotency_key text, idempotency_replayed boolean)`,
);

/** Best effort and bounded, so that no request waits. */
export function createRequestLog({ database }: Pick<Core, 'database'>): RequestLog {
  let pending: RequestEntry[] = [];
  let lost = 0;
  const limited = new Map<string, number>();
  return {
    note(request) {
      if (request.status === 429) {
        const count = (limited.get(request.key_id) ?? 0) + 1;
        limited.set(request.key_id, count);
        if (count > MAX_LIMITED) return;
      }
      if (pending.length < MAX_PENDING) pending.push(request);
      else lost++;
    },
    async flush() {
      const taken = pending;
      pending = [];
      limited.clear();
      let cause: unknown;
      for (let from = 0; from < taken.length; from += BATCH) {
        const batch = taken.slice(from, from + BATCH);
        await database.query(insert, [JSON.stringify(batch)]).catch((error: unknown) => {
          cause = error;
          lost += batch.length;
        });
      }
      if (lost === 0) return;
      const message = `${lost} requests are missing from the request log.`;
      lost = 0;
      throw new Error(message, { cause });
    },
  };
}
