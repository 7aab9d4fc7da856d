import pg from 'pg';
import { tenantRole } from './row-security.ts';

const setLocally = (name: string, value: string): string => `set_config('${name}', ${value}, true)`;
// It selects no row, so the server sends nothing back.
const bindSql = (settings: readonly string[]): string => `SELECT WHERE ${settings.join(' || ')} IS NULL`;
const account = [setLocally('role', `'${tenantRole}'`), setLocally('finhook.account_id', '$1')];
// An ad-hoc statement is planned for its values; only a prepared one shares a plan.
const planned = setLocally('plan_cache_mode', "'auto'");
// A column default of `event` reads `traceparent` from here, so statements that emit don't name it.
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

/** SQL that makes the rest of the open transaction see and change the rows of one account only. */
export function bindTransactionSql({ accountId, traceparent }: Binding): string {
  const bind = `SELECT ${setLocally('role', `'${tenantRole}'`)}, ${setLocally('finhook.account_id', pg.escapeLiteral(accountId))}`;
  if (traceparent === undefined) return bind;
  return `${bind}, ${setLocally('finhook.traceparent', pg.escapeLiteral(traceparent))}`;
}

/** The protocol handlers of the driver's query object, which its published types omit. */
interface ProtocolQuery extends pg.Submittable {
  name: string;
  text: string;
  prepare(connection: pg.Connection): void;
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
 * A statement preceded by the binding to its account, sent as one: up to the Sync both are one transaction, whose end
 * removes the binding (PostgreSQL documentation, "Extended Query: Pipelining"). It adds no round trip, and no other
 * statement can see the binding.
 */
class AccountStatement extends withProtocol(pg.Query) {
  readonly #bind: { name: string; text: string; values: readonly string[] };
  readonly #own: { name: string; text: string };
  #bound = false;

  constructor({ accountId, traceparent }: Binding, config: pg.QueryConfig, callback: QueryCallback) {
    super({ ...config, queryMode: 'extended' }, undefined, callback);
    const [untraced, traced] = config.name
      ? [binds.prepared, binds.preparedTraced]
      : [binds.unprepared, binds.unpreparedTraced];
    this.#bind =
      traceparent === undefined
        ? { ...untraced, values: [accountId] }
        : { ...traced, values: [accountId, traceparent] };
    this.#own = { name: this.name, text: this.text };
  }

  override prepare(connection: pg.Connection): void {
    const protocol = protocolOf(connection);
    const { name, text, values } = this.#bind;
    if (protocol.parsedStatements[name] === undefined) protocol.parse({ name, text });
    protocol.bind({ statement: name, values });
    protocol.execute({});
    super.prepare(connection);
    // The driver records under this name that it was parsed: until the binding is done, that is the binding's.
    this.name = name;
    this.text = text;
  }

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    if (this.#bound) return super.handleCommandComplete(message, connection);
    this.#bound = true;
    Object.assign(this, this.#own);
  }

  override handleError(error: Error, connection: pg.Connection): void {
    if (!this.#bound && this.#own.name) delete protocolOf(connection).submittedNamedStatements[this.#own.name];
    super.handleError(error, connection);
  }
}

/** Runs one statement that sees and changes the rows of one account only, in a transaction of its own. */
export function runForAccount(
  client: pg.PoolClient,
  binding: Binding,
  config: pg.QueryConfig,
): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const callback: QueryCallback = (error, result) => (error ? reject(error) : resolve(result));
    client.query(new AccountStatement(binding, config, callback));
  });
}
