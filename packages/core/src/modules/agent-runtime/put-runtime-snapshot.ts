import {
  jsonBytes,
  MAX_PAYLOAD_BYTES,
  type operations,
  type RuntimeSnapshot as RuntimeSnapshotRecord,
} from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import type { Context } from '../../kernel/context.ts';
import { checkMoment, dayLimits } from '../../kernel/dates.ts';
import { invalidFields } from '../../kernel/domain-error.ts';
import { emit } from '../../kernel/emit.ts';
import { transaction } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { assertWholeAgent, findAgent } from '../agents/find-agent.ts';
import { lockAgentAt, refuseWhilePaused } from '../agents/lock-agent-at.ts';
import { redactSecrets } from './redact-secrets.ts';
import { RuntimeSnapshot } from './runtime-snapshot.entity.ts';

type Op = typeof operations.runtimeSnapshots.put;

/**
 * Stores where an agent's runtime stands, in place of what was there, and emits `partner.runtime.snapshot.updated` each
 * time. The checkpoint is given back as it came; its event carries it redacted, and not at all above 16 KiB.
 */
export async function putRuntimeSnapshot(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  // There is one snapshot for all companies of the agent; an agent's own key is always whole.
  if (context.scope !== 'agent') assertWholeAgent(await findAgent(context, input.agent_id));
  if (input.heartbeat_at != null) {
    invalidFields([checkMoment('/heartbeat_at', new Date(input.heartbeat_at), dayLimits(context.clock.now()))]);
  }
  return transaction(context, { lock: `runtime_snapshot|${input.agent_id}` }, async (tx) => {
    refuseWhilePaused(await lockAgentAt(tx, context, input, { byAnyCase: true }));
    const known = await tx.em.findOne(RuntimeSnapshot, { agentId: input.agent_id, accountId: context.accountId });
    const before = known?.toRecord();
    const now = context.clock.now();
    const content = contentOf(input, now);
    const version = (known?.version ?? 0) + 1;
    const snapshot = known
      ? tx.em.assign(known, { ...content, version })
      : tx.em.create(RuntimeSnapshot, {
          id: context.newId('rts'),
          accountId: context.accountId,
          agentId: input.agent_id,
          createdAt: now,
          version,
          ...content,
        });
    await tx.em.flush();
    const record = snapshot.toRecord();
    const place = record.company_id === null ? {} : { companyId: record.company_id };
    await audit(tx, context, {
      action: 'runtimeSnapshots.put',
      ...place,
      resourceId: snapshot.id,
      before: before && withoutCheckpoint(before),
      after: withoutCheckpoint(record),
    });
    await emit(tx, context, {
      type: 'partner.runtime.snapshot.updated',
      ...place,
      data: { ...record, ...toldCheckpoint(record.checkpoint) },
    });
    return { ...record, result: before ? 'updated' : 'created' };
  });
}

function contentOf(input: InputOf<Op>, now: Date) {
  const { metrics } = input;
  return {
    companyId: input.company_id ?? null,
    runtime: input.runtime,
    state: input.state,
    checkpoint: input.checkpoint ?? null,
    metrics:
      metrics == null
        ? null
        : {
            actions_24h: metrics.actions_24h ?? null,
            failures_24h: metrics.failures_24h ?? null,
            queue_depth: metrics.queue_depth ?? null,
            cost_micros_24h: metrics.cost_micros_24h ?? null,
          },
    heartbeatAt: input.heartbeat_at == null ? now : new Date(input.heartbeat_at),
    updatedAt: now,
  };
}

/** The audit log is kept for years and heartbeats come every few seconds: it holds the size in place of the content. */
function withoutCheckpoint({ checkpoint, ...rest }: RuntimeSnapshotRecord): object {
  return { ...rest, checkpoint_bytes: jsonBytes(checkpoint) };
}

function toldCheckpoint(checkpoint: unknown): { checkpoint: unknown; checkpoint_truncated: boolean } {
  const told = redactSecrets(checkpoint);
  const isTooLarge = jsonBytes(told) > MAX_PAYLOAD_BYTES;
  return { checkpoint: isTooLarge ? null : told, checkpoint_truncated: isTooLarge };
}
