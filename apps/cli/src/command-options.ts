import { type ParseArgsConfig, parseArgs } from 'node:util';
import { LocalError } from './local-error.ts';

/** The API's limit for the names of companies and keys. */
const MAX_NAME_LENGTH = 200;

type Options = NonNullable<ParseArgsConfig['options']>;
interface Config<O extends Options> {
  args: string[];
  options: O;
}
type Values<O extends Options> = ReturnType<typeof parseArgs<Config<O>>>['values'];

/** Reads the program's options with `read`. When it throws, throws LocalError with the usage. */
export function readOptions<O extends Options, T>(usage: string, options: O, read: (values: Values<O>) => T): T {
  try {
    // A script runner may pass on the `--` after its own options.
    const args = process.argv.slice(process.argv[2] === '--' ? 3 : 2);
    return read(parseArgs<Config<O>>({ args, options }).values);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new LocalError(`${reason}. Usage: ${usage}`);
  }
}

export function readName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > MAX_NAME_LENGTH)
    throw new Error(`--name has ${name.length} characters instead of 1 to ${MAX_NAME_LENGTH}`);
  return name;
}
