import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createClient } from '@finhook/client';
import { z } from 'zod';
import type { LocalTarget } from './find-or-start.ts';
import { runOnTarget } from './run-on-target.ts';
import { runTour, type Sight } from './tour/run-tour.ts';

/** One line of what a person reads: event, cause, and whether it came as the documents say. */
function describeSight({ type, cause, latencyMs, faults }: Sight): string {
  const result = latencyMs === undefined ? 'MISSING' : `received after ${latencyMs} ms, verified, valid`;
  return `  ${type.padEnd(36)} ${cause.padEnd(64)} ${faults.length === 0 ? result : `WRONG: ${faults.join('; ')}`}`;
}

const madeKey = z.object({ key_id: z.string(), api_key: z.string() });

/** A second person's key, made as operators make it; `ending` revokes it. */
async function makeReviewerKey(target: LocalTarget, ending: AsyncDisposableStack): Promise<string> {
  const program = fileURLToPath(new URL('account-key.ts', import.meta.url));
  const args = [program, '--name', 'Reviewer of the tour'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: target.operatorEnv });
  const { key_id, api_key } = madeKey.parse(JSON.parse(stdout));
  const client = createClient({ url: target.api_url, apiKey: target.api_key });
  ending.defer(async () => void (await client.apiKeys.revoke.mutate({ key_id })));
  return api_key;
}

await runOnTarget('tour', async (target, ending) => {
  const reviewerKey = await makeReviewerKey(target, ending);
  const sights = await runTour({ ...target, reviewerKey }, (sight) => console.log(describeSight(sight)), ending);
  const good = sights.filter(({ latencyMs, faults }) => latencyMs !== undefined && faults.length === 0);
  console.log(`\n${good.length} of ${sights.length} events were caused, received, verified and valid.`);
  return good.length === sights.length && sights.length > 0;
});
