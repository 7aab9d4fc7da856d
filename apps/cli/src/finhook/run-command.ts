import { reasonOf } from '../reason-of.ts';
import { openTerminal, standardInput } from '../terminal.ts';
import { readEnvironment } from './env.ts';
import { exitCodes, Failure } from './failure.ts';
import { createOutput } from './output.ts';
import { createProgram } from './program.ts';
import type { Session } from './session.ts';

/** Runs the command with the terminal and signals of this process, and sets its exit code. */
export async function runProcess(args: readonly string[]): Promise<void> {
  const env = readEnvironment();
  // The reader of the pipe has closed it.
  const terminal = openTerminal(() => process.exit(exitCodes.ok));
  const interrupted = new AbortController();
  const interrupt = (): void => {
    if (interrupted.signal.aborted) process.exit(exitCodes.interrupted);
    interrupted.abort(new Failure('Interrupted.', exitCodes.interrupted));
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);

  const session = { env, input: standardInput, output: createOutput(env, terminal), signal: interrupted.signal };
  process.exitCode = await runCommand(session, args);
}

/** Prints failures to standard error; resolves with the exit code. */
export async function runCommand(session: Session, args: readonly string[]): Promise<number> {
  try {
    await createProgram(session).parseAsync(args, { from: 'user' });
    return exitCodes.ok;
  } catch (error) {
    return report(error, session);
  }
}

function report(error: unknown, { output }: Session): number {
  if (isUsageError(error)) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  if (error instanceof Failure) {
    output.say(error.exitCode === exitCodes.interrupted ? error.message : `Error: ${error.message}`);
    return error.exitCode;
  }
  output.say(`Error: ${reasonOf(error)}`);
  return exitCodes.failed;
}

/** Thrown by commander, which has printed its message. */
function isUsageError(error: unknown): error is { exitCode: number } {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('commander.');
}
