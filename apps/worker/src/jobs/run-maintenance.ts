import {
  type Core,
  cancelDeliveriesOfDeleted,
  endOverlaps,
  ensurePartitions,
  evaluateTimedHealth,
  expireAgentApprovals,
  expireBankApprovals,
  purgeIdempotencyKeys,
  sealAuditLog,
} from '@finhook/core';
import type { QueueProducer } from '@finhook/platform';

interface MaintenanceTask {
  readonly everyMs: number;
  run(core: Core): Promise<unknown>;
}

const minute = 60 * 1000;
const hour = 60 * minute;

const tasks = new Map<string, MaintenanceTask>([
  ['partitions', { everyMs: hour, run: (core) => ensurePartitions(core.database.owner, core.clock.now()) }],
  ['idempotency', { everyMs: hour, run: purgeIdempotencyKeys }],
  ['audit-seals', { everyMs: minute, run: (core) => sealAuditLog(core) }],
  ['deleted-endpoints', { everyMs: hour, run: cancelDeliveriesOfDeleted }],
  ['agent-approvals', { everyMs: minute, run: (core) => expireAgentApprovals(core, 1_000) }],
  ['bank-approvals', { everyMs: minute, run: expireBankApprovals }],
  ['key-overlaps', { everyMs: minute, run: endOverlaps }],
  ['endpoint-health', { everyMs: 5 * minute, run: (core) => evaluateTimedHealth(core) }],
]);

/** The job `maintenance.run`. Throws for a task that it doesn't know. */
export async function runMaintenance(core: Core, name: string): Promise<void> {
  const task = tasks.get(name);
  if (task === undefined) throw new Error(`There is no maintenance task "${name}".`);
  await task.run(core);
}

/** Adds each task now and in its period, once for all workers. Lost jobs come back with the next period. */
export function scheduleMaintenance(producer: Pick<QueueProducer, 'schedule'>): void {
  for (const [task, { everyMs }] of tasks) producer.schedule('maintenance.run', everyMs, task, { task });
}
