import type pg from 'pg';

// A prepared statement has one plan for all values. Left to itself, the server plans one of several tables anew for each
// execution as long as the averages of its estimates say so, which costs up to five times as much as running it.
const ONE_PLAN = '-c plan_cache_mode=force_generic_plan';

// That plan is kept until the table is analysed. One made while a table was small would read all of it for every key once
// it has grown: a burst of deliveries then costs seconds. Every statement here has its index.
// A bitmap has no order: where statistics are missing, a page would be sorted out of all rows of its company.
const USE_INDEXES = '-c enable_seqscan=off -c enable_bitmapscan=off';

// A process that stands still or vanishes inside a transaction would hold its locks, and everybody's feed, for as long as
// nobody ends it. No transaction waits for anything but its own statements: exports hold none between two pages.
const END_THE_IDLE = '-c idle_in_transaction_session_timeout=15s';
// A machine that is gone answers no probe, and takes nothing of what is sent to it: 25 s, in ms for the last one.
const END_THE_GONE =
  '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c tcp_user_timeout=25000';
// The server goes on with a statement whose connection was given up until it has an answer, and its transaction holds up
// everybody's feed. PostgreSQL on Windows cannot look for its client, and refuses the setting.
const STOP_FOR_NOBODY = process.platform === 'win32' ? [] : ['-c client_connection_check_interval=2s'];

// A server, a role or a database may be set otherwise. Times are read as ISO 8601 writes them. Tables are made and found in
// `public`: by itself PostgreSQL looks first in a schema that is named like the user, which no other role does. What is read
// behind a lock has to be what others committed before it, which a snapshot of an earlier moment is not. Waits end when
// `statement_timeout` says so, and a lock that is held between two statements is not given up.
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

/** Detects a connection whose settings a pooler dropped. */
const MARK = 'finhook.settings';

/** Settings of the connections that migrate, as the server takes them from a command line. */
export const ownerSettings = [`-c ${MARK}=on`, ...AS_EXPECTED, END_THE_GONE].join(' ');

/** Settings of the pool's connections. They take on `role`, if one is given. */
export function poolSettings({ role, statementTimeoutMs }: { role?: string; statementTimeoutMs?: number }): string {
  const settings = [ownerSettings, ONE_PLAN, USE_INDEXES, END_THE_IDLE, ...STOP_FOR_NOBODY];
  if (role !== undefined) settings.push(`-c role=${role}`);
  if (statementTimeoutMs !== undefined) settings.push(`-c statement_timeout=${statementTimeoutMs}`);
  return settings.join(' ');
}

/** Without its settings a connection would work as the owner of the tables, and read times as it is not meant to. */
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

/** Throws a `LostSettingsError` where a connection came without its settings. */
export async function assertSettingsKept(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ mark: string | null }>(`SELECT current_setting('${MARK}', true) AS mark`);
  if (rows[0]?.mark !== 'on') throw new LostSettingsError();
}

/** The same for a pool, before it lends a connection for the first time: one that says nothing is given up after `withinMs`. */
export function verifySettings(client: pg.ClientBase, withinMs: number, done: (error?: Error) => void): void {
  const { promise: late, reject } = Promise.withResolvers<never>();
  // In the words of the pool itself, whose own limit ends when the server has let us in.
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
