import { type Core, countLedgerPage, type LedgerCount } from '@finhook/core';

interface WholeLedger extends LedgerCount {
  /** When the walk ended. */
  readonly at: Date;
}

export interface LedgerWalk {
  /**
   * Goes on for a bounded time. `whole` is the last walk that came to the end; `unaccounted` is the larger of what it
   * found and of what this one has found so far.
   */
  step(): Promise<{ whole: WholeLedger | undefined; unaccounted: number }>;
}

const pageSize = 5_000;
/** How long a step begins pages, in ms. */
const stepMs = 100;
const nothing: LedgerCount = { accepted: 0, terminal: 0, scheduled: 0 };

/**
 * Walks through all deliveries in the order of their ids, again and again, a few pages at a time: so the invariant
 * accepted - terminal - scheduled = 0 is computed over all of them, and costs the same however many there are.
 */
export function createLedgerWalk(core: Core): LedgerWalk {
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
      return { whole, unaccounted: Math.max(lost(sum), whole === undefined ? 0 : lost(whole)) };
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
