import type { ErrorCode } from '@finhook/contracts';
import { isAccountFrozen, isDatabaseUnavailable } from '../../db/database-error.ts';
import { auditValues } from '../../outbox/audit.ts';
import { HandOffs } from '../../outbox/hand-off.ts';
import { storeChanges } from '../../outbox/store-changes.ts';
import type { Core } from '../../verbs/context.ts';
import type { Principal } from './known-key.ts';

export interface Denial {
  principal: Principal;
  code: ErrorCode;
  operation: string;
  request: { id: string; ip: string | null };
}

export interface DenialLog {
  note(denial: Denial): void;
  /** Runs every second and at shutdown. Rows of a moving account, and those that the database rejects, are lost. */
  flush(): Promise<void>;
}

/** Key and code pairs in memory; denials of further pairs are dropped. */
const MAX_PENDING = 1_000;

type Entry = readonly [key: string, denials: Denials];

interface Denials {
  readonly denial: Denial;
  readonly at: Date;
  count: number;
}

/** Best effort and bounded: each key and code leaves one row, with the first request and a count. */
export function createDenialLog(core: Core): DenialLog {
  let pending = new Map<string, Denials>();
  const add = (key: string, more: Denials): void => {
    const known = pending.get(key);
    if (known) known.count += more.count;
    else if (pending.size < MAX_PENDING) pending.set(key, more);
  };
  const keep = (entries: readonly Entry[]): void => {
    const meanwhile = pending;
    pending = new Map(entries);
    for (const [key, more] of meanwhile) add(key, more);
  };
  const storeOneByOne = async (entries: readonly Entry[]): Promise<void> => {
    let failure: { error: unknown } | undefined;
    for (const [i, entry] of entries.entries()) {
      try {
        await store(core, [entry]);
      } catch (error) {
        if (isDatabaseUnavailable(error)) {
          keep(entries.slice(i));
          throw error;
        }
        if (!isAccountFrozen(error)) failure = { error };
      }
    }
    if (failure) throw failure.error;
  };
  return {
    note: (denial) => add(`${denial.principal.keyId}|${denial.code}`, { denial, at: core.clock.now(), count: 1 }),
    async flush() {
      const taken = [...pending];
      pending = new Map();
      try {
        await store(core, taken);
      } catch (error) {
        if (!isDatabaseUnavailable(error)) return storeOneByOne(taken);
        keep(taken);
        throw error;
      }
    },
  };
}

async function store(core: Core, entries: readonly Entry[]): Promise<void> {
  const audits = entries.map(([, denials]) => ({ values: toAuditRow(core, denials) }));
  await storeChanges(core.database, { audits, events: [] }, new HandOffs(core));
}

function toAuditRow(core: Core, { denial, at, count }: Denials): unknown[] {
  const { principal, code, operation, request } = denial;
  const context = { ...core, ...principal, clock: { now: () => at }, request };
  return auditValues(context, {
    action: 'access.denied',
    resourceId: principal.keyId,
    after: { code, operation, count },
  });
}
