import { describeResult, isComplete } from './demo/describe-result.ts';
import { runDemo } from './demo/run-demo.ts';
import { runOnTarget } from './run-on-target.ts';

await runOnTarget('demo', async (target, ending) => {
  const result = await runDemo(target, (line) => console.log(`  ${line}`), ending);
  console.log(describeResult(result));
  return isComplete(result);
});
