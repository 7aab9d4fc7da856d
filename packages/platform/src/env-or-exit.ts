import { EnvError } from './load-env.ts';

/** What `read` gives. A configuration that is wrong is told to the operator, without a stack, and ends the process. */
export function envOrExit<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(1);
  }
}
