import { describeResult, isComplete } from './demo/describe-result.ts';
import { runDemo } from './demo/run-demo.ts';
import { runOnService } from './run-on-service.ts';

await runOnService('demo', async (target, ending) => {
  const result = await runDemo(target, (line) => console.log(`  ${line}`), ending);
  console.log(describeResult(result));
  return isComplete(result);
});
