import { describeResult, isComplete } from './demo/describe-result.ts';
import { runDemo } from './demo/run-demo.ts';
import { findOrStart } from './find-or-start.ts';
import { exitWithMessage } from './local-error.ts';

// SIGINT and SIGTERM dispose `ending` first; the same signal again exits at once.
const ending = new AsyncDisposableStack();
const stopping = new AbortController();
const { promise: stopped, resolve } = Promise.withResolvers<false>();
stopping.signal.addEventListener('abort', () => resolve(false));
process.once('SIGINT', () => stopping.abort()).once('SIGTERM', () => stopping.abort());

async function demo(): Promise<boolean> {
  const target = await findOrStart(ending);
  if (stopping.signal.aborted) return false;
  const result = await runDemo(target, (line) => console.log(`  ${line}`), ending);
  console.log(describeResult(result));
  return isComplete(result);
}

try {
  process.exitCode = (await Promise.race([demo(), stopped])) ? 0 : 1;
} catch (error) {
  await ending.disposeAsync();
  exitWithMessage(error);
}
await ending.disposeAsync();
// Requests that were aborted may keep the process alive.
if (stopping.signal.aborted) process.exit();
