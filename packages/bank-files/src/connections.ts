import { AnswerError } from './errors.ts';
import type { Answers, Question, ReadingContext } from './questions.ts';

/** An account of the file in one of its currencies. */
export interface AccountCurrency {
  account: string;
  currency: string;
  isOwnCurrency?: boolean | undefined;
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
  context: ReadingContext,
): { connections: Map<string, string | null>; questions: Question[] } {
  const connections = new Map<string, string | null>();
  const questions: Question[] = [];
  if (typeof connection === 'string' && accounts.length > 1) {
    const keys = accounts.map(keyOf).join(', ');
    throw new AnswerError(`the connection ${connection} can't be that of several accounts or currencies: ${keys}`);
  }
  if (typeof connection === 'object') assertKnown(connection, accounts);
  for (const [account, currencies] of Map.groupBy(accounts, (one) => one.account)) {
    const first = firstCurrency(currencies, context);
    for (const each of currencies) {
      const key = keyOf(each);
      const isFirst = each.currency === first;
      const given = answerFor(each, isFirst, connection);
      connections.set(key, given ?? (account === '' ? null : isFirst ? account : `${account} ${each.currency}`));
      if (given === undefined && account === '') questions.push(askAccount(each, currencies.length > 1));
      else if (given === undefined && currencies.length === 1 && !isFirst) questions.push(askCurrency(each, first));
    }
  }
  return { connections, questions };
}

function assertKnown(connection: Readonly<Record<string, string>>, accounts: readonly AccountCurrency[]): void {
  const known = new Set(accounts.flatMap((one) => [one.account, keyOf(one)]));
  const unknown = Object.keys(connection).find((key) => !known.has(key));
  if (unknown !== undefined) {
    throw new AnswerError(`the file has no account ${unknown}, only ${accounts.map(keyOf).join(', ')}`);
  }
}

function answerFor(one: AccountCurrency, isFirst: boolean, connection: Answers['connection']): string | undefined {
  if (typeof connection !== 'object') return connection;
  const names = isFirst ? [keyOf(one), one.account] : [keyOf(one)];
  const name = names.find((each) => Object.hasOwn(connection, each));
  return name === undefined ? undefined : connection[name];
}

/** The currency that the bare number of an account stands for. It may be none of the file. */
function firstCurrency(currencies: readonly AccountCurrency[], context: ReadingContext): string {
  const account = currencies[0]?.account ?? '';
  const { storedCurrencies = {}, baseCurrency } = context;
  const names = currencies.map(({ currency }) => currency).toSorted();
  const stored = Object.hasOwn(storedCurrencies, account) ? storedCurrencies[account] : undefined;
  return (
    stored ??
    currencies.find(({ isOwnCurrency }) => isOwnCurrency)?.currency ??
    names.find((name) => name === baseCurrency) ??
    names[0] ??
    ''
  );
}

function askAccount({ currency }: AccountCurrency, isOneOfSeveral: boolean): Question {
  return {
    code: 'account',
    about: `/${currency}`,
    message: `The file names no account. Which connection do the rows${isOneOfSeveral ? ` in ${currency}` : ''} belong to?`,
    choices: [],
    flag: isOneOfSeveral ? `--connection /${currency}=ID` : '--connection ID',
  };
}

function askCurrency({ account, currency }: AccountCurrency, stored: string): Question {
  const other = `${account} ${currency}`;
  return {
    code: 'currency_connection',
    about: `${account}/${currency}`,
    message: `The connection ${account} has ${stored}, and the file has ${currency}. Which connection does it belong to?`,
    choices: [
      { value: other, label: `${other}, a connection of its own` },
      { value: account, label: `${account}, whose currency changes` },
    ],
    flag: `--connection ${account}/${currency}=ID`,
  };
}
