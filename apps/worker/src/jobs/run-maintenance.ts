import {
  applyFlowRules,
  type Core,
  cancelDeliveriesOfDeleted,
  defaultRetention,
  dropExpiredPartitions,
  dropUnusedFunctions,
  endOverlaps,
  endSecretOverlaps,
  ensurePartitions,
  evaluateTimedHealth,
  expireAgentApprovals,
  expireBankApprovals,
  purgeIdempotencyKeys,
  purgeProcesses,
  purgeSessions,
  type Retention,
  reportBacklogs,
  retireSecretsKeys,
  rewrapSecrets,
  sealAuditLog,
} from '@finhook/core';
import type { QueueProducer } from '@finhook/queue';
import type { Logger } from '@finhook/runtime';

export interface MaintenanceSettings {
  readonly retention?: Retention;
  readonly logger?: Pick<Logger, 'info' | 'warn'>;
}

interface MaintenanceTask {
  readonly everyMs: number;
  run(core: Core, settings: MaintenanceSettings): Promise<unknown>;
}

const minute = 60 * 1000;
const hour = 60 * minute;

const tasks = new Map<string, MaintenanceTask>([
  ['partitions', { everyMs: hour, run: makePartitions }],
  ['retention', { everyMs: hour, run: applyRetention }],
  ['idempotency', { everyMs: hour, run: purgeIdempotencyKeys }],
  ['sessions', { everyMs: hour, run: purgeSessions }],
  ['secrets', { everyMs: hour, run: renewSecrets }],
  ['processes', { everyMs: hour, run: purgeProcesses }],
  ['functions', { everyMs: hour, run: dropFunctions }],
  ['audit-seals', { everyMs: minute, run: (core) => sealAuditLog(core) }],
  ['deleted-endpoints', { everyMs: minute, run: cancelDeliveriesOfDeleted }],
  ['agent-approvals', { everyMs: minute, run: (core) => expireAgentApprovals(core, 1_000) }],
  ['bank-approvals', { everyMs: minute, run: expireBankApprovals }],
  ['key-overlaps', { everyMs: minute, run: endOverlaps }],
  ['secret-overlaps', { everyMs: minute, run: endSecretOverlaps }],
  ['flow-rules', { everyMs: minute, run: applyFlowRules }],
  ['endpoint-backlogs', { everyMs: minute, run: reportBacklogs }],
  ['endpoint-health', { everyMs: 5 * minute, run: (core) => evaluateTimedHealth(core) }],
]);

async function makePartitions(core: Core, { logger }: MaintenanceSettings): Promise<void> {
  const missing = await ensurePartitions(core.database.owner, core.clock.now());
  if (missing.length > 0)
    logger?.warn({ missing }, 'partitions of coming months could not be created: their tables are in use');
}

async function applyRetention(core: Core, { retention, logger }: MaintenanceSettings): Promise<void> {
  const { dropped, pending, busy } = await dropExpiredPartitions(core, retention ?? defaultRetention);
  if (dropped.length > 0) logger?.info({ dropped }, 'expired partitions were dropped');
  if (pending.length > 0) logger?.warn({ pending }, 'expired partitions were kept: they have pending deliveries');
  if (busy.length > 0) logger?.warn({ busy }, 'expired partitions were kept: their tables are in use');
}

async function renewSecrets(core: Core, { logger }: MaintenanceSettings): Promise<void> {
  const { rewrapped, unreadable } = await rewrapSecrets(core);
  await retireSecretsKeys(core);
  if (rewrapped > 0) logger?.info({ rewrapped }, 'secrets were re-encrypted with the first SECRETS_KEY');
  if (unreadable > 0) logger?.warn({ unreadable }, 'secrets are encrypted with a SECRETS_KEY that is not configured');
}

async function dropFunctions({ database }: Core, { logger }: MaintenanceSettings): Promise<void> {
  const dropped = await database.owner.transaction((tx) => dropUnusedFunctions(tx, database.functionNames));
  if (dropped.length > 0) logger?.info({ dropped }, 'functions of earlier versions were dropped');
}

/** The job `maintenance.run`. Throws for an unknown task. */
export async function runMaintenance(core: Core, name: string, settings: MaintenanceSettings = {}): Promise<void> {
  const task = tasks.get(name);
  if (task === undefined) throw new Error(`There is no maintenance task "${name}".`);
  await task.run(core, settings);
}

/** Schedules each task now and then once per period for all workers. */
export function scheduleMaintenance(producer: Pick<QueueProducer, 'schedule'>): void {
  for (const [task, { everyMs }] of tasks) producer.schedule('maintenance.run', everyMs, task, { task });
}
