import type pg from 'pg';

// One plan for all values. By default the server replans some joins for each execution, which costs up to five times
// their run time.
const ONE_PLAN = '-c plan_cache_mode=force_generic_plan';

// Every statement here has its index. A plan made while a table is small would otherwise read all of it after it has
// grown, and a bitmap scan would sort all rows of a company for one page.
const USE_INDEXES = '-c enable_seqscan=off -c enable_bitmapscan=off';

// A process that hangs inside a transaction would hold its locks. Exports hold no transaction between pages.
const END_THE_IDLE = '-c idle_in_transaction_session_timeout=15s';
// Closes connections to unreachable machines after 25 s (`tcp_user_timeout` in ms).
const END_THE_GONE =
  '-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c tcp_user_timeout=25000';
// Otherwise the server finishes the statement of an abandoned connection first. PostgreSQL on Windows rejects the
// setting.
const STOP_FOR_NOBODY = process.platform === 'win32' ? [] : ['-c client_connection_check_interval=2s'];

// Overrides defaults of the server, role or database. The driver parses ISO 8601 times, tables are in `public`, and
// reads after a lock must see what was committed before it (read committed).
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

export const ownerSettings = [`-c ${MARK}=on`, ...AS_EXPECTED, END_THE_GONE].join(' ');

/** For account moves: one transaction waits for minutes while the other copies. */
export const moveSettings = [
  ownerSettings,
  '-c idle_in_transaction_session_timeout=0',
  '-c tcp_user_timeout=300000',
  '-c timezone=UTC',
  ...STOP_FOR_NOBODY,
].join(' ');

export interface PoolSettings {
  /** Default: the URL's user. */
  readonly role?: string;
  /** Statement timeout in ms, including waits for locks. Default: none. Not for migrations. */
  readonly statementTimeoutMs?: number;
}

export function poolSettings({ role, statementTimeoutMs }: PoolSettings): string {
  const settings = [ownerSettings, ONE_PLAN, USE_INDEXES, END_THE_IDLE, ...STOP_FOR_NOBODY];
  if (role !== undefined) settings.push(`-c role=${role}`);
  if (statementTimeoutMs !== undefined) settings.push(`-c statement_timeout=${statementTimeoutMs}`);
  return settings.join(' ');
}

/** Without these settings a connection would work as the owner of the tables and misread times. */
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

/** Checks a pool's new connection like `assertSettingsKept`, for at most `withinMs`. */
export function verifySettings(client: pg.ClientBase, withinMs: number, done: (error?: Error) => void): void {
  const { promise: late, reject } = Promise.withResolvers<never>();
  // The message of the pool, whose own limit ends once the server accepts the connection.
  const timer = setTimeout(reject, withinMs, new Error('timeout exceeded when trying to connect'));
  void Promise.race([assertSettingsKept(client), late])
    .then(() => done(), done)
    .finally(() => clearTimeout(timer));
}

export function errorOfConnecting(error: unknown): unknown {
  const isRefused = error instanceof Error && error.message.includes('unsupported startup parameter');
  return isRefused ? new LostSettingsError({ cause: error }) : error;
}
