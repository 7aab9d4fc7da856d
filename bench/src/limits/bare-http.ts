import { perSecond, runLoad } from '../stage/run-load.ts';
import { sampleBody } from '../stage/seed-deliveries.ts';
import type { Stage } from '../stage/stage.ts';

/** L1: requests per second of a bare client to the receiver, with this many connections. */
export async function measureBareHttp(stage: Stage, connections: number): Promise<number> {
  await stage.receiver.reset();
  const result = await runLoad({
    kind: 'bare-http',
    url: `${stage.receiver.url}/ok`,
    body: sampleBody(
      'evt_00000000000000000000000000',
      'acct_00000000000000000000000000',
      'co_00000000000000000000000000',
    ),
    connections,
    warmupMs: 500,
    durationMs: stage.quick ? 700 : 2_000,
  });
  return perSecond(result);
}
