import { AnswerError, quote } from './errors.ts';
import type { Answers, Question, ReadingContext } from './questions.ts';

/** An account of the file in one of its currencies. */
export interface AccountCurrency {
  account: string;
  currency: string;
  isOwnCurrency?: boolean | undefined;
  /** True if it has neither rows nor balances, so that it needs no connection. */
  isEmpty?: boolean;
}

interface NamingContext extends ReadingContext {
  /** Names of the files of an archive that name no account. */
  unnamed: readonly string[];
}

/** `ACCOUNT/CUR`, as an answer names an account in one currency. */
export function keyOf({ account, currency }: AccountCurrency): string {
  return `${account}/${currency}`;
}

/**
 * The connection of each account and currency, by its key. The first currency of an account has the account's number
 * as its connection, each other `<account> <CUR>`, so that their balances don't overwrite each other.
 *
 * @throws {AnswerError} for an answer that names no account of the file, or one connection for several
 */
export function nameConnections(
  accounts: readonly AccountCurrency[],
  { connection }: Answers,
  context: NamingContext,
): { connections: Map<string, string | null>; questions: Question[] } {
  const connections = new Map<string, string | null>();
  const questions: Question[] = [];
  if (typeof connection === 'string' && accounts.length > 1) throw sharedConnection(connection, accounts.map(keyOf));
  if (typeof connection === 'object') assertKnown(connection, accounts);
  for (const [account, currencies] of Map.groupBy(accounts, (one) => one.account)) {
    const first = firstCurrency(currencies, context);
    for (const each of currencies) {
      const isFirst = each.currency === first;
      const { name, isExact } = answerFor(each, isFirst, connection);
      const own = account === '' ? null : isFirst ? account : `${account} ${each.currency}`;
      connections.set(keyOf(each), name ?? own);
      if (each.isEmpty === true || isExact) continue;
      const stored = storedIn(name ?? (currencies.length === 1 ? account : ''), context);
      if (name === undefined && account === '') questions.push(askAccount(each, currencies.length > 1, context));
      else if (stored !== undefined && stored !== each.currency) {
        questions.push(askCurrency(each, name ?? account, stored));
      }
    }
  }
  assertDistinct(connections);
  return { connections, questions };
}

/** Balances and equal rows of two accounts under one connection would replace each other. */
function assertDistinct(connections: ReadonlyMap<string, string | null>): void {
  const given = [...connections].filter(([, connection]) => connection !== null);
  for (const [connection, keys] of Map.groupBy(given, ([, one]) => one)) {
    if (keys.length > 1)
      throw sharedConnection(
        String(connection),
        keys.map(([key]) => key),
      );
  }
}

function sharedConnection(connection: string, keys: readonly string[]): AnswerError {
  return new AnswerError(
    `the connection ${connection} can't be that of several accounts or currencies: ${keys.join(', ')}`,
  );
}

function storedIn(connection: string, { storedCurrencies = {} }: ReadingContext): string | undefined {
  return Object.hasOwn(storedCurrencies, connection) ? storedCurrencies[connection] : undefined;
}

function assertKnown(connection: Readonly<Record<string, string>>, accounts: readonly AccountCurrency[]): void {
  const known = new Set(accounts.flatMap((one) => [one.account, keyOf(one)]));
  const unknown = Object.keys(connection).find((key) => !known.has(key));
  if (unknown !== undefined) {
    throw new AnswerError(`the file has no account ${unknown}, only ${accounts.map(keyOf).join(', ')}`);
  }
}

/** `isExact` if the answer names account and currency, so that it also says which currency the connection has. */
function answerFor(
  one: AccountCurrency,
  isFirst: boolean,
  connection: Answers['connection'],
): { name?: string | undefined; isExact: boolean } {
  if (typeof connection !== 'object') return { name: connection, isExact: false };
  const exact = Object.hasOwn(connection, keyOf(one)) ? connection[keyOf(one)] : undefined;
  if (exact !== undefined) return { name: exact, isExact: true };
  return {
    name: isFirst && Object.hasOwn(connection, one.account) ? connection[one.account] : undefined,
    isExact: false,
  };
}

/** The currency that the bare number of an account stands for. */
function firstCurrency(currencies: readonly AccountCurrency[], context: ReadingContext): string {
  const names = currencies.map(({ currency }) => currency).toSorted();
  const stored = storedIn(currencies[0]?.account ?? '', context);
  const [own, ...others] = currencies.filter(({ isOwnCurrency }) => isOwnCurrency);
  return (
    (names.length > 1 ? stored : undefined) ??
    (others.length === 0 ? own?.currency : undefined) ??
    names.find((name) => name === context.baseCurrency) ??
    names[0] ??
    ''
  );
}

function askAccount(
  { currency }: AccountCurrency,
  isOneOfSeveral: boolean,
  { unnamed }: Pick<NamingContext, 'unnamed'>,
): Question {
  const rows = `Which connection do the rows${isOneOfSeveral ? ` in ${currency}` : ''} belong to?`;
  const names = unnamed.slice(0, 5).map(quote).join(', ');
  return {
    code: 'account',
    about: isOneOfSeveral ? `/${currency}` : '',
    // Rows that two files of one account have count once, so these may not be files of several accounts.
    message:
      unnamed.length > 1
        ? `${unnamed.length} files of the archive name no account: ${names}. Import files of several accounts one by one. If they are of one account: ${rows.replace('W', 'w')}`
        : `The file names no account. ${rows}`,
    choices: [],
    flag: isOneOfSeveral ? `--connection /${currency}=ID` : '--connection ID',
  };
}

/** The service has bank connections by such IDs, so no label may begin so. */
const REGISTERED = 'conn_';

function askCurrency({ account, currency }: AccountCurrency, connection: string, stored: string): Question {
  const isRegistered = connection.startsWith(REGISTERED);
  const label = isRegistered ? account : connection;
  const other = `${label} ${currency}`;
  const choices = [
    { value: other, label: `${other}, a connection of its own` },
    { value: connection, label: `${connection}, whose currency changes` },
  ];
  return {
    code: 'currency_connection',
    about: `${account}/${currency}`,
    message: `The connection ${connection} has ${stored}, and the file has ${currency}. Which connection does it belong to?`,
    // Nothing names a connection of its own: any ID or label is an answer.
    choices: label === '' ? [] : choices,
    flag: `--connection ${account}/${currency}=ID`,
  };
}
