import type { LoggedRequest } from '@finhook/contracts';
import { systemStatement } from '../../db/queryable.ts';
import type { Core } from '../../verbs/context.ts';

export type RequestEntry = Omit<LoggedRequest, 'object'>;

export interface RequestLog {
  note(request: RequestEntry): void;
  /** Writes what was noted since the last call. Throws if some of it was lost, and says how many. */
  flush(): Promise<void>;
}

/** Above this number between two flushes, requests are counted and not kept. */
const MAX_PENDING = 10_000;
/** Of the requests of a key that exceeded a limit, between two flushes: a client that doesn't wait would fill the log. */
const MAX_LIMITED = 10;
const BATCH = 500;

// What may be lost with the process need not wait for the disk, nor make the commits of requests wait.
const insert = systemStatement(
  'insert_requests',
  `WITH unsynced AS (SELECT set_config('synchronous_commit', 'off', true))
   INSERT INTO request_log (id, account_id, created_at, method, path, operation, status, code, duration_ms, key_id, ip,
     user_agent, idempotency_key, idempotency_replayed)
   SELECT r.* FROM unsynced, json_to_recordset($1::json) AS r (id text, account_id text, created_at timestamptz, method text,
     path text, operation text, status smallint, code text, duration_ms real, key_id text, ip text, user_agent text,
     idempotency_key text, idempotency_replayed boolean)`,
);

/** The log of one process: best effort and bounded, so that no request waits for it. */
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
