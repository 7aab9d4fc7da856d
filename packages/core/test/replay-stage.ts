import type { Replay } from '@finhook/contracts';
import { expect, vi } from 'vitest';
import { upsertCashBalance } from '../src/modules/cash/balances/upsert.ts';
import type { Disposition } from '../src/modules/deliveries/attempt.ts';
import { listDeliveries } from '../src/modules/deliveries/read.ts';
import { recordAttempts } from '../src/modules/deliveries/record-attempts.ts';
import { advanceReplay } from '../src/modules/replays/advance-replay.ts';
import { replayEndpoint } from '../src/modules/replays/begin.ts';
import { getReplay } from '../src/modules/replays/replay.ts';
import type { Context, Core } from '../src/verbs/context.ts';
import { attemptOf, claimAll, newEndpoint } from './attempt-of.ts';
import { readAudits } from './read-audits.ts';

export const since = '2020-01-01T00:00:00Z';
export const balances = ['bank.balance.updated'];
const all = { limit: 200, order: 'asc' } as const;
export const patience = { timeout: 20_000, interval: 1 };

/** An account whose replays are advanced manually, one at a time. */
export class ReplayStage {
  readonly #core: Core;
  readonly #context: Context;
  readonly #companyId: string;
  #day = 0;

  constructor(core: Core, context: Context, companyId: string) {
    this.#core = core;
    this.#context = context;
    this.#companyId = companyId;
  }

  /** An endpoint that receives the account's balances; `more` overrides. */
  async endpointOf(more: object = {}): Promise<string> {
    return newEndpoint(this.#context, { events: balances, ...more });
  }

  /** Posts balances of different days; returns the ids of their events. */
  async post(count: number, company_id = this.#companyId): Promise<string[]> {
    const ids: string[] = [];
    for (let i = 0; i < count; i++) {
      const as_of = new Date(Date.UTC(2001, 0, 1) + this.#day++ * 86_400_000).toISOString().slice(0, 10);
      const balance = { company_id, as_of, balance_cents: i, currency: 'USD' };
      ids.push((await upsertCashBalance(this.#context, balance)).event_id);
    }
    return ids;
  }

  async begin(endpoint_id: string, more: object = {}): Promise<Replay> {
    const answer = await replayEndpoint(this.#context, { endpoint_id, since, ...more });
    if (answer.object !== 'replay') throw new Error('It was only counted.');
    return answer;
  }

  async countOf(endpoint_id: string, more: object = {}): Promise<number> {
    return (await replayEndpoint(this.#context, { endpoint_id, since, dry_run: true, ...more })).matched;
  }

  read(replay_id: string): Promise<Replay> {
    return getReplay(this.#context, { replay_id });
  }

  async deliveriesOf(more: object): Promise<Awaited<ReturnType<typeof listDeliveries>>['data']> {
    return (await listDeliveries(this.#context, { ...all, ...more })).data;
  }

  /** Runs the next step of this account's replays now, and those of other tests not. */
  async step(by: Core = this.#core): Promise<Replay | undefined> {
    await this.#core.database.query(
      `UPDATE replay SET next_step_at = CASE WHEN account_id = $1 THEN now() ELSE now() + interval '1 hour' END
       WHERE active`,
      [this.#context.accountId],
    );
    return advanceReplay(by);
  }

  /** Runs steps until there are `count` deliveries: open transactions of other tests hold back events. */
  async stepTo(enqueued: number): Promise<void> {
    await vi.waitFor(async () => expect((await this.step())?.enqueued).toBe(enqueued), patience);
  }

  /** Attempts all due deliveries of the endpoint; returns their events in order. */
  async attemptAll(endpointId: string, disposition: Disposition = { kind: 'succeeded' }): Promise<string[]> {
    const claims = await claimAll(this.#core, endpointId);
    // Like the worker: a manual attempt keeps the schedule.
    const attempts = claims.map((claim) =>
      attemptOf(claim, claim.trigger === 'manual' && disposition.kind === 'retry' ? { kind: 'restore' } : disposition),
    );
    await recordAttempts(this.#core, attempts);
    return claims.map(({ eventId }) => eventId);
  }

  /** Runs steps and attempts until the replay ends; returns the events in the order in which they were sent. */
  async runToEnd(replay_id: string, endpoint: string): Promise<string[]> {
    const sent: string[] = [];
    await vi.waitFor(async () => {
      await this.step();
      sent.push(...(await this.attemptAll(endpoint)));
      if (['running', 'paused'].includes((await this.read(replay_id)).status)) throw new Error('It is not over.');
    }, patience);
    return sent;
  }

  /** The audit rows of a record. */
  async auditsOf(resource: string): Promise<string[]> {
    return (await readAudits(this.#context, { resource_id: resource }, 'action')).map(({ action }) => action);
  }
}
