import type pg from 'pg';

// A prepared statement has one plan for all values. By default, the server replans a join for each execution while its
// average estimates say so, which costs up to five times as much as running it.
const ONE_PLAN = '-c plan_cache_mode=force_generic_plan';

// The plan is kept until the table is analysed. One made while a table was small would read all of it for every key
// once it has grown: a burst of deliveries then costs seconds. Every statement here has its index. A bitmap has no
// order: without statistics, a page would be sorted from all rows of its company.
const USE_INDEXES = '-c enable_seqscan=off -c enable_bitmapscan=off';

// A process that hangs or vanishes inside a transaction would hold its locks, and everybody's feed, indefinitely.
// Transactions wait only for their own statements: exports hold none between two pages.
const END_THE_IDLE = '-c idle_in_transaction_session_timeout=15s';
// An unreachable machine responds to no probe and acknowledges no data: 25 s, in ms for the last one.
const END_THE_GONE =
  '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c tcp_user_timeout=25000';
// After a connection is abandoned, the server continues its statement until it has a result, and the transaction blocks
// everybody's feed. PostgreSQL on Windows cannot check its client, and rejects the setting.
const STOP_FOR_NOBODY = process.platform === 'win32' ? [] : ['-c client_connection_check_interval=2s'];

// A server, role or database may have other settings. Times are read as ISO 8601. Tables are in `public`: by default
// PostgreSQL first searches a schema with the user's name. Reads after a lock must see what others committed before it,
// which an earlier snapshot would not. `statement_timeout` ends waits, and a lock held between two statements is kept.
const AS_EXPECTED = [
  '-c datestyle=ISO',
  '-c search_path=public',
  String.raw`-c default_transaction_isolation=read\ committed`,
  '-c default_transaction_deferrable=off',
  '-c row_security=on',
  '-c statement_timeout=0',
  '-c lock_timeout=0',
  '-c idle_session_timeout=0',
];

const MARK = 'finhook.settings';

/** Settings of the migrating connections, in command-line form. */
export const ownerSettings = [`-c ${MARK}=on`, ...AS_EXPECTED, END_THE_GONE].join(' ');

/**
 * Settings of the connections between which an account is moved: one transaction waits while the other copies, for minutes
 * if the target's disk is slow, and both write times alike.
 */
export const moveSettings = [
  ownerSettings,
  '-c idle_in_transaction_session_timeout=0',
  '-c tcp_user_timeout=300000',
  '-c timezone=UTC',
  ...STOP_FOR_NOBODY,
].join(' ');

export interface PoolSettings {
  /** The role of connections; by default they work as the URL's user. */
  readonly role?: string;
  /** The statement timeout in ms, waits for locks included; none when absent. Does not apply to migrations. */
  readonly statementTimeoutMs?: number;
}

/** Settings of the pool's connections, which switch to `role` if given. */
export function poolSettings({ role, statementTimeoutMs }: PoolSettings): string {
  const settings = [ownerSettings, ONE_PLAN, USE_INDEXES, END_THE_IDLE, ...STOP_FOR_NOBODY];
  if (role !== undefined) settings.push(`-c role=${role}`);
  if (statementTimeoutMs !== undefined) settings.push(`-c statement_timeout=${statementTimeoutMs}`);
  return settings.join(' ');
}

/** Without its settings a connection would work as the owner of the tables, and parse times wrongly. */
class LostSettingsError extends Error {
  override readonly name = 'LostSettingsError';

  constructor(options?: ErrorOptions) {
    super(
      'Something between this process and PostgreSQL, PgBouncer for example, does not pass on the settings of a connection. ' +
        'Let DATABASE_URL name PostgreSQL itself.',
      options,
    );
  }
}

export async function assertSettingsKept(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ mark: string | null }>(`SELECT current_setting('${MARK}', true) AS mark`);
  if (rows[0]?.mark !== 'on') throw new LostSettingsError();
}

/**
 * The same for a pool, before it lends a connection for the first time: an unresponsive one is abandoned after
 * `withinMs`.
 */
export function verifySettings(client: pg.ClientBase, withinMs: number, done: (error?: Error) => void): void {
  const { promise: late, reject } = Promise.withResolvers<never>();
  // The pool's own message; its own limit ends once the server has accepted the connection.
  const timer = setTimeout(reject, withinMs, new Error('timeout exceeded when trying to connect'));
  void Promise.race([assertSettingsKept(client), late])
    .then(() => done(), done)
    .finally(() => clearTimeout(timer));
}

/** Explains the error of a pooler that rejects the settings. */
export function errorOfConnecting(error: unknown): unknown {
  const isRefused = error instanceof Error && error.message.includes('unsupported startup parameter');
  return isRefused ? new LostSettingsError({ cause: error }) : error;
}
