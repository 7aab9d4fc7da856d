import type { SyncError } from '@finhook/contracts';
import { connectionDisconnected } from '../../../ids/connection-id.ts';
import { toTimestamp } from '../../../time/clock.ts';
import { type Context, type Core, systemContext } from '../../../verbs/context.ts';
import {
  claimSync,
  findSyncAccount,
  postponeSync,
  readSealedToken,
  releaseSync,
  type SyncClaim,
} from './claim-sync.ts';
import { tokenAad } from './connection.ts';
import { finishSync } from './finish-sync.ts';
import { providers } from './providers/index.ts';
import type { Pulled } from './providers/provider.ts';
import { storePage } from './store-page.ts';
import { LeaseLost, SyncProgress } from './sync-progress.ts';

/** A run's lease outlasts one page's request (30 s) and the storing of a chunk. */
const LEASE_MS = 60_000;
/** Limit for a provider that never sends its last page. */
const MAX_PAGES = 1_000;
/** A run fails after this many claims for one page, by workers that died. */
const MAX_CLAIMS = 5;

interface Stop extends SyncError {
  waitMs?: number | undefined;
}

/** `signal` and Retry-After leave the run to another worker. Throws only for failures of the system. */
export async function runSync(
  core: Core,
  runId: string,
  signal: AbortSignal,
  { leaseMs = LEASE_MS }: { readonly leaseMs?: number } = {},
): Promise<void> {
  const accountId = await findSyncAccount(core, runId);
  if (accountId === undefined) return;
  const context = systemContext(core, accountId, runId);
  const claim = await claimSync(context, runId, leaseMs);
  if (!claim) return;
  const progress = new SyncProgress(context, claim, leaseMs);
  try {
    const stop = await pullPages(context, claim, progress, signal);
    if (stop?.waitMs !== undefined && (await postponeSync(context, claim, stop.waitMs))) return;
    await finishSync(context, claim, progress, stop && errorOf(stop));
  } catch (error) {
    if (error instanceof LeaseLost) return;
    if (!signal.aborted) throw error;
    await releaseSync(context, claim);
  }
}

async function pullPages(
  context: Context,
  claim: SyncClaim,
  progress: SyncProgress,
  signal: AbortSignal,
): Promise<Stop | undefined> {
  if (claim.claims > MAX_CLAIMS)
    return { code: 'interrupted', message: 'The sync was interrupted too many times. Start it again.' };
  // A worker stored the last page and died before it recorded that.
  if (claim.pages > 0 && claim.cursor === null) return undefined;
  do {
    signal.throwIfAborted();
    if (progress.pages >= MAX_PAGES) {
      return {
        code: 'too_many_pages',
        message: `The provider returned more than ${MAX_PAGES} pages. Return larger pages.`,
      };
    }
    const pulled = await pullPage(context, claim, progress.cursor, signal);
    if (!pulled.ok) return pulled;
    const stop = await storePage(context, claim, pulled.page, progress, signal);
    if (stop) return stop;
    await progress.finishPage(pulled.page);
  } while (progress.cursor !== null);
  return undefined;
}

function errorOf({ code, message, waitMs }: Stop): SyncError {
  if (waitMs === undefined) return { code, message };
  return { code, message: `${message} A sync waits at most an hour for a page and a day in total. Sync again later.` };
}

/** Reads the token for each page: it may be rotated or wiped during a run. */
async function pullPage(core: Core, claim: SyncClaim, cursor: string | null, signal: AbortSignal): Promise<Pulled> {
  const provider = providers.get(claim.provider);
  if (!provider) throw new Error(`The provider ${claim.provider} of run ${claim.id} is not pulled.`);
  const sealed = await readSealedToken(core, claim);
  if (sealed === null)
    return { ok: false, code: 'connection_disconnected', message: connectionDisconnected('').message };
  const pulled = await provider.pull(core.outgoing, {
    connectionId: claim.connection_id,
    token: core.secrets.decrypt(sealed, tokenAad(claim.connection_id)),
    url: claim.config_url,
    currency: claim.currency,
    connectedOn: toTimestamp(claim.connected_at).slice(0, 10),
    from: claim.pull_from,
    until: claim.pull_until,
    cursor,
    signal,
  });
  const wasUnauthorized = !pulled.ok && pulled.code === 'provider_unauthorized';
  // The rejected token may have been replaced during the request.
  return wasUnauthorized && (await readSealedToken(core, claim)) !== sealed
    ? pullPage(core, claim, cursor, signal)
    : pulled;
}
