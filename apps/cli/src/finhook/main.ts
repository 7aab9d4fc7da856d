import module from 'node:module';
import { openTerminal } from '../terminal.ts';
import { readEnvironment } from './env.ts';
import { exitCodes, Failure } from './failure.ts';
import { createOutput } from './output.ts';
import { createProgram } from './program.ts';

// Node 20 has none.
module.enableCompileCache?.();

const env = readEnvironment();
// The reader of a pipe has seen enough.
const output = createOutput(
  env,
  openTerminal(() => process.exit(exitCodes.ok)),
);
const interrupted = new AbortController();
const interrupt = (): void => {
  if (interrupted.signal.aborted) process.exit(exitCodes.interrupted);
  interrupted.abort(new Failure('Interrupted.', exitCodes.interrupted));
};
process.on('SIGINT', interrupt);
process.on('SIGTERM', interrupt);

try {
  await createProgram({ env, output, signal: interrupted.signal }).parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

function report(error: unknown): number {
  if (isUsageError(error)) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  if (error instanceof Failure) {
    output.say(error.exitCode === exitCodes.interrupted ? error.message : `Error: ${error.message}`);
    return error.exitCode;
  }
  output.say(`Error: ${error instanceof Error ? error.message : String(error)}`);
  return exitCodes.refused;
}

/** Thrown by commander, which has printed its message. */
function isUsageError(error: unknown): error is { exitCode: number } {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('commander.');
}
