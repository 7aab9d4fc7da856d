import { AnswerError, quote } from './errors.ts';
import type { Answers, Question, ReadingContext } from './questions.ts';
import { accountName, connectionName } from './statement.ts';

export interface AccountCurrency {
  account: string;
  currency: string;
  isOwnCurrency?: boolean | undefined;
  written?: readonly string[];
  /** True without rows and balances: it needs no connection. */
  isEmpty?: boolean;
}

interface NamingContext extends ReadingContext {
  unnamed: readonly string[];
}

/** `ACCOUNT/CUR`, as in answers. */
export function keyOf({ account, currency }: Pick<AccountCurrency, 'account' | 'currency'>): string {
  return `${account}/${currency}`;
}

export interface Connection {
  name: string | null;
  /** Other connections that may have rows of earlier imports. */
  former: readonly string[];
}

export const noConnection: Connection = { name: null, former: [] };

/**
 * Connections by account and currency: the number for the first currency of an account, else `<account> <CUR>`. @throws
 * {AnswerError} for an unknown account, or one connection for several accounts
 */
export function nameConnections(
  accounts: readonly AccountCurrency[],
  { connection }: Answers,
  context: NamingContext,
): { connections: Map<string, Connection>; questions: Question[] } {
  const names = new Map<string, string | null>();
  const questions: Question[] = [];
  if (typeof connection === 'string' && accounts.length > 1) throw sharedConnection(connection, accounts.map(keyOf));
  const given = givenLabels(accounts, connection);
  for (const [account, currencies] of Map.groupBy(accounts, (one) => one.account)) {
    const first = firstCurrency(currencies, context);
    for (const each of currencies) {
      const isFirst = each.currency === first;
      const exact = given.get(keyOf(each));
      const label = exact ?? (isFirst ? given.get(account) : undefined);
      const name = label === undefined ? undefined : connectionName(label);
      const own = account === '' ? null : isFirst ? account : `${account} ${each.currency}`;
      names.set(keyOf(each), name ?? own);
      if (each.isEmpty === true || exact !== undefined) continue;
      const stored = storedIn(name ?? (currencies.length === 1 ? account : ''), context);
      if (name === undefined && account === '') questions.push(askAccount(each, currencies.length > 1, context));
      else if (stored !== undefined && stored !== each.currency) {
        questions.push(askCurrency(each, name ?? account, stored));
      }
    }
  }
  assertDistinct(names);
  const connections = accounts.map((one): [string, Connection] => {
    const others = accounts.filter(({ account }) => account === one.account).map((each) => names.get(keyOf(each)));
    const name = names.get(keyOf(one)) ?? null;
    return [keyOf(one), { name, former: formerOf(one, name, { given, others }) }];
  });
  return { connections: new Map(connections), questions };
}

/** Earlier versions stored all currencies of an account under its number as written. */
function formerOf(
  one: AccountCurrency,
  name: string | null,
  { given, others }: { given: ReadonlyMap<string, string>; others: readonly (string | null | undefined)[] },
): string[] {
  const { account, currency, written = [] } = one;
  const exact = given.get(keyOf(one));
  const bare = given.get(account);
  const suffix = ` ${currency}`;
  const all = [
    ...(name?.endsWith(suffix) ? [name.slice(0, -suffix.length)] : []),
    ...(exact === undefined ? [bare] : [exact, bare ?? account]),
    ...others,
    ...written,
  ];
  const labels = all.flatMap((each) => each ?? []);
  return [...new Set(labels)].filter((each) => each !== '' && each !== name);
}

/** @throws {AnswerError} for an unknown account, or two connections of one account */
function givenLabels(accounts: readonly AccountCurrency[], connection: Answers['connection']): Map<string, string> {
  const given = new Map<string, string>();
  if (connection === undefined) return given;
  if (typeof connection === 'string') return new Map(accounts.map(({ account }) => [account, connection]));
  const known = new Set(accounts.flatMap((one) => [one.account, keyOf(one)]));
  for (const [text, label] of Object.entries(connection)) {
    const key = known.has(text) ? text : standardKey(text, accounts);
    if (!known.has(key)) {
      throw new AnswerError(`the file has no account ${text}, only ${accounts.map(keyOf).join(', ')}`);
    }
    const other = given.get(key);
    if (other !== undefined && other !== label) throw new AnswerError(`${key} has two connections: ${other}, ${label}`);
    given.set(key, label);
  }
  return given;
}

/** Finds the account of `ACCOUNT` or `ACCOUNT/CUR` in either spelling. */
function standardKey(text: string, accounts: readonly AccountCurrency[]): string {
  const [, number = text, currency] = /^(.*)\/([A-Z]{3})$/i.exec(text) ?? [];
  const account =
    accounts.find(({ written = [] }) => written.includes(number))?.account ?? accountName(number, currency ?? '');
  return currency === undefined ? account : `${account}/${currency.toUpperCase()}`;
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
    // Equal rows of two files of one account are stored once, so the files must not be of several accounts.
    message:
      unnamed.length > 1
        ? `${unnamed.length} files of the archive name no account: ${names}. Import files of several accounts one by one. If they are of one account: ${rows.replace('W', 'w')}`
        : `The file names no account. ${rows}`,
    choices: [],
    flag: isOneOfSeveral ? `--connection /${currency}=ID` : '--connection ID',
  };
}

/** Prefix of the service's own ids of connections. */
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
    // Without a label, any id or label is an answer.
    choices: label === '' ? [] : choices,
    flag: `--connection ${account}/${currency}=ID`,
  };
}
