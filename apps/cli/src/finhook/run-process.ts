import { openTerminal, standardInput } from '../terminal.ts';
import { readEnvironment } from './env.ts';
import { exitCodes, Failure } from './failure.ts';
import { createOutput } from './output.ts';
import { runCommand } from './run-command.ts';

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
