import { inspect, type ParseArgsConfig, parseArgs } from 'node:util';
import { isDatabaseAway, isDatabaseUnavailable, MoveError } from '@finhook/core';
import { type EnvSource, isExpected } from '@finhook/runtime';
import { isPortBlocked } from './blocked-port.ts';
import { reasonOf } from './reason-of.ts';
import { print, printJson, say } from './terminal.ts';

/** The message is one sentence for the person at the terminal, with the action to take. */
export class ExpectedError extends Error {
  override readonly name = 'ExpectedError';
}

function textOf(error: unknown, field: 'code' | 'syscall' | 'hostname'): string | undefined {
  const text: unknown = error instanceof Error ? Reflect.get(error, field) : undefined;
  return typeof text === 'string' ? text : undefined;
}

/** TLS errors, for which the driver has no code. */
const TLS_ERROR = /^(The server does not support SSL|There was an error establishing an SSL)/;

const INSUFFICIENT_PRIVILEGE = '42501';

/** Explains why the database of DATABASE_URL can't be opened. The server's messages contain no password. */
export function explainDatabaseError(error: unknown): unknown {
  if (textOf(error, 'code') === INSUFFICIENT_PRIVILEGE) {
    return new ExpectedError(
      `The user of DATABASE_URL lacks a privilege. Name the user that owns the tables, or grant it: ${reasonOf(error)}`,
    );
  }
  const isTls = error instanceof Error && TLS_ERROR.test(error.message);
  if (!isTls && !isDatabaseAway(error)) return error;
  return new ExpectedError(
    `The database of DATABASE_URL can't be used: ${reasonOf(error).replace(/\.$/, '')}. Start it, create it or correct the ` +
      'variable; without DATABASE_URL finhook starts a PostgreSQL of its own.',
  );
}

/** `folder`: the data folder, if it contains the database. */
export function explainOldData(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || error.name !== 'NotMigratedError') return error;
  return new ExpectedError(
    `${error.message}\nOr keep the data in ${folder} for later and start with a new folder: FINHOOK_DATA_DIR=${folder}-new.`,
  );
}

/** Explains why accounts can't be moved between the databases of two cells. */
export function explainMoveError(error: unknown): unknown {
  if (error instanceof MoveError) {
    return new ExpectedError(
      error.cause === undefined ? error.message : `${error.message}: ${explainCause(error.cause)}.`,
    );
  }
  if (!isDatabaseUnavailable(error)) return error;
  return new ExpectedError(`A database was lost: ${reasonOf(error)}. Run the command again to go on.`);
}

function explainCause(cause: unknown): string {
  const reason = reasonOf(cause).replace(/\.$/, '');
  // The driver's message for a URL without a password.
  return reason.includes('client password must be a string')
    ? 'it asks for a password. Put it into the URL or into PGPASSWORD'
    : reason;
}

export function explainListenError(error: unknown, host: string, port: number): unknown {
  // Connecting to a database fails with the same codes.
  if (textOf(error, 'syscall') !== 'listen' && textOf(error, 'hostname') !== host) return error;
  const code = textOf(error, 'code');
  if (code === 'EADDRINUSE') {
    return new ExpectedError(
      `Port ${port} on ${host} is taken. Stop the program that uses it, or choose another one: PORT=${port + 1}.`,
    );
  }
  if (code === 'EACCES') {
    return new ExpectedError(`Port ${port} needs administrator rights. Choose one above 1023: PORT=3000.`);
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new ExpectedError(
      `HOST=${host} is no address of this machine. Use 127.0.0.1, or 0.0.0.0 for every interface.`,
    );
  }
  return error;
}

/** @throws ExpectedError for a port with which all printed links would be unusable */
export async function assertUsablePort(port: number): Promise<void> {
  if (await isPortBlocked(`http://127.0.0.1:${port}/`))
    throw new ExpectedError(`Browsers block port ${port}. Choose another one: PORT=3000.`);
}

/** Prints an expected error without its stack, and exits with code 1. */
export function exitWithMessage(error: unknown): never {
  const sentence = isExpected(error, ['ExpectedError', 'EnvError', 'EmbeddedPostgresError']) ? error.message : error;
  say(typeof sentence === 'string' ? `\n${sentence}\n` : inspect(sentence));
  process.exit(1);
}

/** Resolves with its output: lines, or an object as JSON. */
export type Program = (args: readonly string[], source?: EnvSource) => Promise<string | object | undefined>;

export async function runProgram(program: Program): Promise<void> {
  try {
    const result = await program(process.argv.slice(2));
    if (typeof result === 'string') print(result);
    else if (result !== undefined) printJson(JSON.stringify(result));
  } catch (error) {
    exitWithMessage(error);
  }
}

const MAX_NAME_LENGTH = 200;

type Options = NonNullable<ParseArgsConfig['options']>;
interface Config<O extends Options> {
  args: string[];
  options: O;
}
type Values<O extends Options> = ReturnType<typeof parseArgs<Config<O>>>['values'];

/** Parses the options with `read`. If it throws, throws ExpectedError with the usage. `--help` prints that and exits. */
export function readOptions<O extends Options, T>(
  usage: string,
  options: O,
  given: readonly string[],
  read: (values: Values<O>) => T,
): T {
  // Some script runners pass on the `--` after their own options.
  const args = given.slice(given[0] === '--' ? 1 : 0);
  if (args.includes('--help')) {
    print(`Usage: ${usage}`);
    process.exit(0);
  }
  try {
    return read(parseArgs<Config<O>>({ args, options }).values);
  } catch (error) {
    const reason = reasonOf(error);
    throw new ExpectedError(`${reason}. Usage: ${usage}`);
  }
}

export function readName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > MAX_NAME_LENGTH)
    throw new Error(`--name has ${name.length} characters instead of 1 to ${MAX_NAME_LENGTH}`);
  return name;
}
