import { exitCodes, Failure } from './failure.ts';
import { createProgram } from './program.ts';
import type { Session } from './session.ts';

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
  output.say(`Error: ${error instanceof Error ? error.message : String(error)}`);
  return exitCodes.failed;
}

/** Thrown by commander, which has printed its message. */
function isUsageError(error: unknown): error is { exitCode: number } {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('commander.');
}
