import type { Context, Idempotency } from '../src/verbs/context.ts';
import { beginIdempotent, type Outcome } from '../src/verbs/idempotency.ts';

export interface KeyedRequest {
  key: string;
  body: string;
  secret?: boolean;
}

/** Runs a verb under an Idempotency-Key as a front end does: replay, or run, complete in the verb, release on failure. */
export async function runIdempotent(
  context: Context,
  request: KeyedRequest,
  verb: (context: Context) => Promise<unknown>,
): Promise<{ replayed: boolean; outcome: Outcome }> {
  const begun = await beginIdempotent(context, {
    key: request.key,
    fingerprint: ['POST', '/path', '', request.body],
    secret: request.secret ?? false,
  });
  if ('replay' in begun) return { replayed: true, outcome: begun.replay };
  try {
    const output = await verb({ ...context, idempotency: begun.run });
    return { replayed: false, outcome: { ok: true, output } };
  } catch (error) {
    if (!begun.run.completed) await begun.run.release(context.database);
    throw error;
  }
}

/** Claims a key that is free. */
export async function claimKey(context: Context, request: Parameters<typeof beginIdempotent>[1]): Promise<Idempotency> {
  const begun = await beginIdempotent(context, request);
  if (!('run' in begun)) throw new Error('The key was not free.');
  return begun.run;
}
