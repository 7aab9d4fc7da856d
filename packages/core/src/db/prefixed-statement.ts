import pg from 'pg';
import { tenantRole } from './row-security.ts';

const setLocally = (name: string, value: string): string => `set_config('${name}', ${value}, true)`;
// Selects no row, so the server returns nothing.
const bindSql = (settings: readonly string[]): string => `SELECT WHERE ${settings.join(' || ')} IS NULL`;
const account = [setLocally('role', `'${tenantRole}'`), setLocally('finhook.account_id', '$1')];
// Ad-hoc statements are planned for their values; prepared ones share a plan.
const planned = setLocally('plan_cache_mode', "'auto'");
// The column default of `event.traceparent` reads this setting.
const trace = setLocally('finhook.traceparent', '$2');

const binds = {
  prepared: { name: 'bind_account', text: bindSql(account) },
  unprepared: { name: 'bind_account_unprepared', text: bindSql([...account, planned]) },
  preparedTraced: { name: 'bind_account_traced', text: bindSql([...account, trace]) },
  unpreparedTraced: { name: 'bind_account_unprepared_traced', text: bindSql([...account, planned, trace]) },
};

export interface Binding {
  readonly accountId: string;
  readonly traceparent?: string | undefined;
}

/** A statement without result columns that runs before another. */
export interface Prefix {
  name: string;
  text: string;
  values: readonly string[];
  /** If set, the call rejects with `PrefixUnmet` unless this selects a row. */
  needsRow?: boolean;
}

export class PrefixUnmet extends Error {
  override readonly name = 'PrefixUnmet';
}

export const beginPrefix: Prefix = { name: 'begin', text: 'BEGIN', values: [] };
export const ownerPrefix: Prefix = { name: 'become_owner', text: 'SET LOCAL ROLE NONE', values: [] };

/** Restricts the rest of the transaction to one account's rows. */
export function bindPrefix({ accountId, traceparent }: Binding, isAdHoc = false): Prefix {
  const [untraced, traced] = isAdHoc
    ? [binds.unprepared, binds.unpreparedTraced]
    : [binds.prepared, binds.preparedTraced];
  return traceparent === undefined
    ? { ...untraced, values: [accountId] }
    : { ...traced, values: [accountId, traceparent] };
}

/** Handlers of the driver's query class, which its types omit. */
interface ProtocolQuery extends pg.Submittable {
  name: string;
  text: string;
  prepare(connection: pg.Connection): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
  handleError(error: Error, connection: pg.Connection): void;
}

interface ProtocolConnection {
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string; values: readonly string[] }): void;
  execute(message: object): void;
}

type QueryCallback = (error: Error | undefined, result: pg.QueryResult) => void;

type ProtocolQueryClass = new (
  config: pg.QueryConfig & { queryMode: 'extended' },
  values: undefined,
  callback: QueryCallback,
) => ProtocolQuery;

function withProtocol(query: unknown): ProtocolQueryClass {
  return query as ProtocolQueryClass;
}

function protocolOf(connection: unknown): ProtocolConnection {
  return connection as ProtocolConnection;
}

/**
 * Sends a statement with its prefixes in one round trip, as one transaction up to the Sync; an error skips the rest
 * (PostgreSQL documentation, "Extended Query: Pipelining"). Without BEGIN, the binding to an account ends with the
 * Sync.
 */
class PrefixedStatement extends withProtocol(pg.Query) {
  readonly #prefixes: readonly Prefix[];
  readonly #own: { name: string; text: string };
  #completed = 0;
  #hasRow = false;
  isUnmet = false;

  constructor(prefixes: readonly Prefix[], config: pg.QueryConfig, callback: QueryCallback) {
    super({ ...config, queryMode: 'extended' }, undefined, callback);
    this.#prefixes = prefixes;
    this.#own = { name: this.name, text: this.text };
  }

  override prepare(connection: pg.Connection): void {
    const protocol = protocolOf(connection);
    for (const { name, text, values } of this.#prefixes) {
      if (protocol.parsedStatements[name] === undefined) protocol.parse({ name, text });
      protocol.bind({ statement: name, values });
      protocol.execute({});
    }
    super.prepare(connection);
    this.#showCurrent();
  }

  /** The driver records parsed statements by name and text, so these are those of the statement in progress. */
  #showCurrent(): void {
    const { name, text } = this.#prefixes[this.#completed] ?? this.#own;
    Object.assign(this, { name, text });
  }

  override handleDataRow(message: unknown): void {
    if (this.#completed === this.#prefixes.length) return super.handleDataRow(message);
    this.#hasRow = true;
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    const prefix = this.#prefixes[this.#completed];
    if (prefix === undefined) return super.handleCommandComplete(message, connection);
    if (prefix.needsRow && !this.#hasRow) this.isUnmet = true;
    this.#hasRow = false;
    this.#completed += 1;
    this.#showCurrent();
  }

  override handleError(error: Error, connection: pg.Connection): void {
    const isSkipped = this.#completed < this.#prefixes.length;
    if (isSkipped && this.#own.name) delete protocolOf(connection).submittedNamedStatements[this.#own.name];
    super.handleError(error, connection);
  }
}

export function runPrefixed(
  client: pg.PoolClient,
  prefixes: readonly Prefix[],
  config: pg.QueryConfig,
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const statement = new PrefixedStatement(prefixes, config, (error, result) => {
      if (statement.isUnmet) reject(new PrefixUnmet());
      else if (error) reject(error);
      else resolve(result);
    });
    client.query(statement);
  });
}
