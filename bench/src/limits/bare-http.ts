import { perSecond, runLoad } from '../stage/run-load.ts';
import { sampleBody } from '../stage/seed-deliveries.ts';
import type { Stage } from '../stage/stage.ts';

/**
 * Requests per second to the receiver with this many connections: of a bare client (L1), or signed and sent as the worker
 * does.
 */
async function measure(stage: Stage, kind: 'bare-http' | 'signed-sends', connections: number): Promise<number> {
  await stage.receiver.reset();
  const result = await runLoad({
    kind,
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

/** L1. */
export const measureBareHttp = (stage: Stage, connections: number): Promise<number> =>
  measure(stage, 'bare-http', connections);

/** What the worker could deliver if its database cost nothing. */
export const measureSignedSends = (stage: Stage, connections: number): Promise<number> =>
  measure(stage, 'signed-sends', connections);
