import {
  jsonBytes,
  MAX_PAYLOAD_BYTES,
  type operations,
  type RuntimeSnapshot as RuntimeSnapshotRecord,
  runtimeSnapshot,
} from '@finhook/contracts';
import { hasCompanyAccess } from '../../access/access.ts';
import { recordChange } from '../../outbox/record-change.ts';
import { transaction } from '../../outbox/transaction.ts';
import { checkMoment, dayLimits } from '../../time/calendar.ts';
import { notFound, rejectFields } from '../../verbs/domain-error.ts';
import { record } from '../../verbs/record.ts';
import { columnsOf, recordEntity } from '../../verbs/record-entity.ts';
import type { InputOf, Verb } from '../../verbs/verb.ts';
import { assertFullAgentAccess, findAgent } from '../agents/agent.ts';
import { lockAgentAt, rejectWhilePaused } from '../agents/lock-agent-at.ts';
import { redactSecrets } from './actions/redact-secrets.ts';

const RuntimeSnapshotSchema = recordEntity('RuntimeSnapshot', 'runtime_snapshot', columnsOf(runtimeSnapshot));

/** At most one per agent. */
export class RuntimeSnapshot extends RuntimeSnapshotSchema.class {}
RuntimeSnapshotSchema.setClass(RuntimeSnapshot);

type PutOp = typeof operations.runtimeSnapshots.put;
export const putRuntimeSnapshot: Verb<PutOp> = async (context, input) => {
  // All companies of the agent share one snapshot; an agent's own key is never restricted.
  if (context.scope !== 'agent') assertFullAgentAccess(await findAgent(context, input.agent_id));
  if (input.heartbeat_at != null) {
    rejectFields([checkMoment('/heartbeat_at', new Date(input.heartbeat_at), dayLimits(context.clock.now()))]);
  }
  return transaction(
    context,
    { records: 'audit and event', lock: `runtime_snapshot|${input.agent_id}` },
    async (tx) => {
      rejectWhilePaused(await lockAgentAt(tx, context, input, { allowAnyCase: true }));
      const where = { agent_id: input.agent_id, account_id: context.accountId };
      const known = await tx.em.findOne(RuntimeSnapshot, where);
      const before = known ? record(runtimeSnapshot, known) : undefined;
      const now = context.clock.now();
      const content = contentOf(input, now);
      // Every write increments it. It is not the version property of the ORM.
      const version = (known?.version ?? 0) + 1;
      const snapshot = known
        ? tx.em.assign(known, { ...content, version })
        : tx.em.create(RuntimeSnapshot, {
            id: context.newId('rts'),
            ...where,
            created_at: now,
            version,
            ...content,
          });
      await tx.em.flush();
      const after = record(runtimeSnapshot, snapshot);
      recordChange(tx, context, {
        action: 'runtimeSnapshots.put',
        before: before && withoutCheckpoint(before),
        after: withoutCheckpoint(after),
        event: { type: 'partner.runtime.snapshot.updated', data: { ...after, ...eventCheckpoint(after.checkpoint) } },
      });
      return { ...after, result: before ? 'updated' : 'created' };
    },
  );
};

export const getRuntimeSnapshot: Verb<typeof operations.runtimeSnapshots.get> = async (context, input) => {
  const { agent, isFullyAccessible } = await findAgent(context, input.agent_id);
  const where = { agent_id: agent.id, account_id: context.accountId };
  const snapshot = await context.database.em().findOne(RuntimeSnapshot, where);
  const isVisible = (companyId: string | null | undefined): boolean =>
    companyId == null ? isFullyAccessible || context.scope === 'agent' : hasCompanyAccess(context, companyId);
  if (!snapshot || !isVisible(snapshot.company_id)) throw notFound('runtime snapshot');
  return record(runtimeSnapshot, snapshot);
};

function contentOf(input: InputOf<PutOp>, now: Date) {
  const { metrics } = input;
  return {
    company_id: input.company_id ?? null,
    runtime: input.runtime,
    state: input.state,
    checkpoint: input.checkpoint ?? null,
    metrics: metrics == null ? null : record(runtimeSnapshot.shape.metrics.unwrap(), metrics),
    heartbeat_at: input.heartbeat_at == null ? now : new Date(input.heartbeat_at),
    updated_at: now,
  };
}

// Heartbeats come every few seconds, so the audit log stores only the checkpoint's size.
function withoutCheckpoint({ checkpoint, ...rest }: RuntimeSnapshotRecord) {
  return { ...rest, checkpoint_bytes: jsonBytes(checkpoint) };
}

function eventCheckpoint(checkpoint: unknown): { checkpoint: unknown; checkpoint_truncated: boolean } {
  const redacted = redactSecrets(checkpoint);
  const isTooLarge = jsonBytes(redacted) > MAX_PAYLOAD_BYTES;
  return { checkpoint: isTooLarge ? null : redacted, checkpoint_truncated: isTooLarge };
}
