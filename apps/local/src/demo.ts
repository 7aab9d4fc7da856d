import { describeResult, isComplete } from './demo/describe-result.ts';
import { runDemo } from './demo/run-demo.ts';
import { exitWithSentence } from './exit-with-sentence.ts';
import { findOrStart } from './find-or-start.ts';

const cleanUp = new AsyncDisposableStack();
try {
  const result = await runDemo(await findOrStart('demo', cleanUp), (line) => console.log(`  ${line}`));
  console.log(describeResult(result));
  process.exitCode = isComplete(result) ? 0 : 1;
} catch (error) {
  await cleanUp.disposeAsync();
  exitWithSentence(error);
}
await cleanUp.disposeAsync();
