import type { Core } from '../../kernel/context.ts';
import { countLedgerPage, type LedgerCount } from './count-ledger.ts';

interface WholeLedger extends LedgerCount {
  readonly at: Date;
}

export interface LedgerWalkState {
  readonly whole: WholeLedger | undefined;
  readonly unaccounted: number;
  readonly counted: number;
}

export interface LedgerWalk {
  /**
   * Continues for a bounded time. `whole` is the last complete audit; `unaccounted` is the larger of its result and
   * this audit's so far, `counted` the deliveries that this audit has read.
   */
  step(): Promise<LedgerWalkState>;
}

const pageSize = 5_000;
const nothing: LedgerCount = { accepted: 0, terminal: 0, scheduled: 0 };

/**
 * Audits all deliveries in id order, repeatedly, a few pages at a time: this computes the invariant accepted - terminal
 * - scheduled = 0 over all of them at a constant cost per step. A step begins pages for `stepMs`.
 */
export function createLedgerWalk(core: Core, stepMs = 100): LedgerWalk {
  let after = '';
  let sum = nothing;
  let whole: WholeLedger | undefined;
  return {
    step: async () => {
      const endsAt = performance.now() + stepMs;
      do {
        const page = await countLedgerPage(core, after, pageSize);
        sum = add(sum, page);
        after = page.next ?? '';
        if (page.next === undefined) {
          whole = { ...sum, at: core.clock.now() };
          sum = nothing;
        }
      } while (after !== '' && performance.now() < endsAt);
      return { whole, counted: sum.accepted, unaccounted: Math.max(lost(sum), whole === undefined ? 0 : lost(whole)) };
    },
  };
}

function add(a: LedgerCount, b: LedgerCount): LedgerCount {
  return {
    accepted: a.accepted + b.accepted,
    terminal: a.terminal + b.terminal,
    scheduled: a.scheduled + b.scheduled,
  };
}

function lost({ accepted, terminal, scheduled }: LedgerCount): number {
  return accepted - terminal - scheduled;
}
