// Risk: the receiver for Next.js does not build, or does not get the signed bytes.
import { beforeAll, describe } from 'vitest';
import { buildNext, isNextInstalled, startNext } from './start-next.ts';
import { testApplication, testReceiver } from './test-receiver.ts';

if (!isNextInstalled) {
  console.warn('\n  !! Next.js is not in packages/client/next-app: the test of its receiver does NOT run. !!\n');
}

describe.skipIf(!isNextInstalled)('the example for Next.js', () => {
  beforeAll(buildNext, 180_000);

  testReceiver({ start: startNext });
  testApplication({ start: startNext });
});
