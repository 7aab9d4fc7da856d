import type { ErrorCode } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Core } from '../../kernel/context.ts';
import type { Principal } from './known-key.ts';

/** A request of a known key that was refused for what the key is, or may not do. */
export interface Denial {
  holder: Principal;
  code: ErrorCode;
  /** The operation that was called, or the path where none was found. */
  operation: string;
  request: { id: string; ip: string | null };
}

/** Writes refused requests of known keys into the audit log, in the background. */
export interface DenialLog {
  /** Remembers a refusal; costs the request nothing. */
  note(denial: Denial): void;
  /** Writes one row for each key and code that was refused since the last call; called every second and at shutdown. */
  flush(): Promise<void>;
}

/** Keys and codes remembered between two flushes; beyond it a flood is only counted where it is remembered already. */
const MAX_PENDING = 1_000;

/**
 * Makes the log of one process. It is best effort and bounded: a key that is refused a thousand times in a second leaves
 * one row, with the first of these requests and their number.
 */
export function createDenialLog(core: Core): DenialLog {
  let pending = new Map<string, { denial: Denial; at: Date; count: number }>();
  return {
    note(denial) {
      const key = `${denial.holder.keyId}|${denial.code}`;
      const known = pending.get(key);
      if (known) known.count++;
      else if (pending.size < MAX_PENDING) pending.set(key, { denial, at: core.clock.now(), count: 1 });
    },
    async flush() {
      const entries = [...pending.values()];
      pending = new Map();
      for (const { denial, at, count } of entries) {
        const { holder, code, operation, request } = denial;
        const context = { ...core, ...holder, clock: { now: () => at }, request };
        const after = { code, operation, count };
        await audit(core.database, context, { action: 'access.denied', resourceId: holder.keyId, after });
      }
    },
  };
}
