import pg from 'pg';
import { repeat } from '../time/repeat.ts';
import type { PoolSettings } from './connection-settings.ts';
import { databaseErrorCode, isDatabaseAway } from './database-error.ts';
import { connectionOptions, withClient } from './lend-connection.ts';
import { type Binding, bindPrefix, type Prefix, PrefixUnmet, runPrefixed } from './prefixed-statement.ts';
import { type Queryable, statement, systemStatement } from './queryable.ts';

/**
 * Where a read ran: on the replica, or on the primary because the replica has not replayed the account's last change
 * (`behind`), failed the statement, or is unreachable or lags too much.
 */
export const replicaReadResults = ['replica', 'behind', 'failed', 'unavailable'] as const;
export type ReplicaReadResult = (typeof replicaReadResults)[number];

export interface ReplicaOptions {
  url: string;
  maxLagMs?: number;
  everyMs?: number;
  /** Slower statements run on the primary instead. */
  statementMs?: number | undefined;
  onRead?: ((result: ReplicaReadResult) => void) | undefined;
}

const MAX_LAG_MS = 5_000;
const EVERY_MS = 1_000;
const STATEMENT_MS = 5_000;
/** Remembered positions while the replica does not replay. */
const MAX_POSITIONS = 1_000;

const readWritten = systemStatement('read_wal_written', `SELECT (pg_current_wal_lsn() - '0/0')::text AS wal`);
// A promoted replica is up to date.
const readReplayed = systemStatement(
  'read_wal_replayed',
  `SELECT (CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END - '0/0')::text AS wal`,
);

// Every change of an account advances one of these positions (ADR 31).
const readPositions = statement(
  'read_account_positions',
  'SELECT account_id, position, audit_position FROM account_sequence WHERE account_id = $1',
);
interface Positions {
  account_id: string;
  position: string;
  audit_position: string;
}
const hasReplayed = ({ account_id, position, audit_position }: Positions): Prefix => ({
  name: 'has_replayed_account',
  text: `SELECT FROM account_sequence
    WHERE account_id = $1 AND position >= $2::bigint AND audit_position >= $3::bigint`,
  values: [account_id, position, audit_position],
  needsRow: true,
});

type Run = (query: pg.QueryConfig) => Promise<pg.QueryResult>;

/**
 * Reads of one request. After the first on the primary all run there, because older rows must not follow newer ones.
 */
interface ReplicaReads {
  run(query: pg.QueryConfig, onPrimary: Run): Promise<pg.QueryResult>;
  leave(): void;
}

export interface Replica {
  lagMs: () => number;
  /** `primary` is bound to the same account. Undefined if the replica is unavailable. */
  reads(binding: Binding, primary: Queryable): Promise<ReplicaReads | undefined>;
  close(): Promise<void>;
}

export interface ReplicaParts {
  primary: Queryable;
  settings: PoolSettings;
  poolSize: number;
  /** The type parsers of the primary's pool. */
  types: pg.CustomTypesConfig | undefined;
  onError?: ((message: string) => void) | undefined;
}

/** Opens the replica and watches its lag. It is unavailable until the first measurement. */
export function openReplica(
  options: ReplicaOptions,
  { primary, settings, poolSize, types, onError }: ReplicaParts,
): Replica {
  const { url, maxLagMs = MAX_LAG_MS, everyMs = EVERY_MS, statementMs: limitMs = STATEMENT_MS } = options;
  const onRead = options.onRead ?? (() => undefined);
  const pool = new pg.Pool({
    ...connectionOptions(url, settings),
    max: poolSize,
    ...(types === undefined ? {} : { types }),
  });
  // The running statement rejects as well.
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', () => undefined);
  const onReplica = (run: (client: pg.PoolClient) => Promise<pg.QueryResult>) => withClient({ pool, limitMs }, run);
  const watch = watchReplica({
    readWritten: async () => readWal(await primary.query(readWritten)),
    readReplayed: async () => readWal((await onReplica((client) => client.query(readReplayed))).rows),
    everyMs,
    onChange: (error) =>
      onError?.(
        error === undefined
          ? 'The replica is available.'
          : `The replica is unavailable, its reads run on the primary: ${error instanceof Error ? error.message : ''}`,
      ),
  });

  return {
    lagMs: watch.lagMs,
    async reads(binding, primaryOfAccount) {
      if (!watch.isReachable() || watch.lagMs() > maxLagMs) {
        onRead('unavailable');
        return undefined;
      }
      const [positions] = await primaryOfAccount.query<Positions>(readPositions, [binding.accountId]);
      // Without a row in `account_sequence` there is no change to wait for.
      const condition = positions === undefined ? [] : [hasReplayed(positions)];
      return readsOf({
        run: (query) => {
          const prefixes = [bindPrefix(binding, query.name === undefined), ...condition];
          return watch.observe(() => onReplica((client) => runPrefixed(client, prefixes, query)));
        },
        onRead,
      });
    },
    async close() {
      await watch.close();
      await pool.end();
    },
  };
}

interface ReadsOptions {
  run: Run;
  onRead: (result: ReplicaReadResult) => void;
}

function readsOf({ run, onRead }: ReadsOptions): ReplicaReads {
  let isLeft = false;
  return {
    leave: () => {
      isLeft = true;
    },
    async run(query, onPrimary) {
      if (isLeft) return onPrimary(query);
      try {
        const result = await run(query);
        onRead('replica');
        return result;
      } catch (error) {
        // Invalid values: the primary would reject them too.
        if (databaseErrorCode(error)?.startsWith('22')) throw error;
        isLeft = true;
        onRead(error instanceof PrefixUnmet ? 'behind' : 'failed');
        return onPrimary(query);
      }
    },
  };
}

function readWal(rows: readonly { wal: string }[]): bigint {
  return BigInt(rows[0]?.wal ?? 0);
}

interface WatchOptions {
  /** Positions in the write-ahead log, in bytes. */
  readWritten: () => Promise<bigint>;
  readReplayed: () => Promise<bigint>;
  everyMs: number;
  /** Receives the error when the replica becomes unreachable, none when it is reachable again. */
  onChange: (error?: unknown) => void;
}

/**
 * Lag is the age of the oldest position of the primary that the replica has not replayed. It grows while the replica is
 * down, is 0 on an idle primary, and needs no synchronised clocks.
 */
function watchReplica({ readWritten: written, readReplayed: replayed, everyMs, onChange }: WatchOptions) {
  const pending: { at: number; wal: bigint }[] = [];
  let isReachable = false;
  let hasFailed = false;
  let lastResponseAt = 0;
  let isClosed = false;

  const suspend = (error: unknown): void => {
    isReachable = false;
    if (!hasFailed && !isClosed) onChange(error);
    hasFailed = true;
  };
  const look = async (): Promise<number> => {
    try {
      pending.push({ at: performance.now(), wal: await written() });
      if (pending.length > MAX_POSITIONS) pending.splice(1, 1);
      const wal = await replayed();
      while (pending[0] !== undefined && pending[0].wal <= wal) pending.shift();
      isReachable = true;
      if (hasFailed) onChange();
      hasFailed = false;
    } catch (error) {
      suspend(error);
    }
    return everyMs;
  };
  const looking = repeat(look, { unref: true });
  return {
    isReachable: () => isReachable,
    lagMs: () => (pending[0] === undefined ? 0 : performance.now() - pending[0].at),
    /** Runs a read. If it gets no response, and no other read got one meanwhile, the replica is suspended. */
    observe: async <T>(read: () => Promise<T>): Promise<T> => {
      const begunAt = performance.now();
      try {
        const result = await read();
        lastResponseAt = performance.now();
        return result;
      } catch (error) {
        if (!isDatabaseAway(error)) lastResponseAt = performance.now();
        else if (lastResponseAt < begunAt) suspend(error);
        throw error;
      }
    },
    close: async () => {
      isClosed = true;
      await looking.close();
    },
  };
}
