// Risk: a test is slow, or fails on a slow machine, because it measures or waits for time.
import { ruleTester } from './test/rule-tester.ts';
import { testTime } from './test-time.ts';

const at = (path: string, code: string) => ({ name: `${path}: ${code}`, code, filename: `/repository/${path}` });
const file = 'apps/api/test/stream.db.test.ts';

ruleTester.run('test-time', testTime, {
  valid: [
    at('apps/api/test/stream.load.test.ts', 'performance.now();'),
    at('apps/api/src/stream.ts', 'performance.now(); setTimeout(end, 5_000);'),
    at(file, 'Date.now(); delay(300); setTimeout(end, 100); delay(ms);'),
  ],
  invalid: [
    { ...at(file, 'performance.now();'), errors: [/^Assert order/] },
    { ...at('apps/api/test/open-stream.ts', 'page.waitForTimeout(10);'), errors: [/^Wait for a condition/] },
    ...['delay(301);', 'sleep(1_000);', 'setTimeout(end, 500);', 'setTimeout(500);'].map((code) => ({
      ...at(file, code),
      errors: [/^Wait for a condition/],
    })),
  ],
});
