import type { AgentAction as AgentActionRecord, operations, Warning } from '@finhook/contracts';
import { audit } from '../../kernel/audit.ts';
import { isSameJson } from '../../kernel/changes.ts';
import type { Context } from '../../kernel/context.ts';
import { checkMoment, dayLimits } from '../../kernel/dates.ts';
import { invalidFields } from '../../kernel/domain-error.ts';
import { emit } from '../../kernel/emit.ts';
import { transaction, type Work } from '../../kernel/transaction.ts';
import type { InputOf, OutputOf } from '../../kernel/verb.ts';
import { assertCase } from '../agents/assert-case.ts';
import { lockAgentAt, refuseWhilePaused } from '../agents/lock-agent-at.ts';
import { outcomeColumns, outcomeFaults, toldOutcome } from './action-outcome.ts';
import { AgentAction } from './agent-action.entity.ts';
import { assertApprovalOf } from './assert-work-of.ts';
import { redactSecrets } from './redact-secrets.ts';

type Op = typeof operations.agentActions.create;

/**
 * Logs an action: always `agent.action.logged`, then the event of its status where it is told with its outcome. An
 * `external_id` that the agent used before gives the stored action back, also while the agent is paused.
 */
export async function createAction(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const now = context.clock.now();
  const status = input.status ?? 'logged';
  const startedAt = input.started_at == null ? now : new Date(input.started_at);
  invalidFields([
    checkMoment('/started_at', startedAt, dayLimits(now)),
    ...outcomeFaults(status, input, startedAt, now),
  ]);
  const lock = input.external_id == null ? {} : { lock: `agent_action|${input.agent_id}|${input.external_id}` };
  return transaction(context, lock, async (tx) => {
    const acting = await lockAgentAt(tx, context, input);
    const known = await findRepeat(tx, input);
    if (known) return { ...known, result: 'unchanged', warnings: differenceWarnings(input, known) };
    refuseWhilePaused(acting);
    await assertCase(tx, context, input.company_id, input.case_id);
    const place = { agentId: input.agent_id, companyId: input.company_id };
    await assertApprovalOf(tx.em, place, input.blocked?.approval_id);
    const action = tx.em.create(AgentAction, {
      id: context.newId('act'),
      accountId: context.accountId,
      ...place,
      caseId: input.case_id ?? null,
      runId: input.run_id ?? null,
      externalId: input.external_id ?? null,
      type: input.type,
      title: input.title ?? input.type,
      risk: input.risk ?? null,
      input: redactSecrets(input.input ?? null),
      output: null,
      startedAt,
      ...outcomeColumns(status, input, startedAt, now),
      createdAt: now,
      updatedAt: now,
    });
    await tx.em.flush();
    const record = action.toRecord();
    const { companyId } = place;
    await audit(tx, context, { action: 'agentActions.create', companyId, resourceId: action.id, after: record });
    await tell(tx, context, record);
    return { ...record, result: 'created', warnings: [] };
  });
}

async function tell(tx: Work, context: Context, record: AgentActionRecord): Promise<void> {
  const companyId = record.company_id;
  const data = { ...asLogged(record), previous_status: null };
  await emit(tx, context, { type: 'agent.action.logged', companyId, data });
  if (record.status === 'logged') return;
  const outcome = { ...record, previous_status: 'logged' as const };
  await emit(tx, context, { type: `agent.action.${record.status}`, companyId, data: outcome });
}

/** The action as it was before its outcome, so that both events tell one story. */
function asLogged(record: AgentActionRecord): AgentActionRecord {
  const nothing = { output: null, error: null, blocked: null, cost: null, finished_at: null, duration_ms: null };
  return record.status === 'logged' ? record : { ...record, ...nothing, status: 'logged' };
}

async function findRepeat(tx: Work, input: InputOf<Op>): Promise<AgentActionRecord | undefined> {
  if (input.external_id == null) return undefined;
  const known = await tx.em.findOne(AgentAction, { agentId: input.agent_id, externalId: input.external_id });
  if (known && known.companyId !== input.company_id) {
    const message = 'belongs to an action of this agent at another company';
    invalidFields([{ pointer: '/external_id', code: 'already_exists', message }]);
  }
  return known?.toRecord();
}

/** What the request says otherwise than the stored action; an outcome or a time that it leaves out is no difference. */
function differenceWarnings(input: InputOf<Op>, known: AgentActionRecord): Warning[] {
  const sent: Partial<AgentActionRecord> = {
    type: input.type,
    title: input.title ?? input.type,
    case_id: input.case_id ?? null,
    run_id: input.run_id ?? null,
    risk: input.risk ?? null,
    input: redactSecrets(input.input ?? null),
    ...(input.status == null ? {} : { status: input.status }),
    ...toldOutcome(input),
    ...(input.started_at == null ? {} : { started_at: new Date(input.started_at).toISOString() }),
    ...(input.finished_at == null ? {} : { finished_at: new Date(input.finished_at).toISOString() }),
    ...(input.duration_ms == null ? {} : { duration_ms: input.duration_ms }),
  };
  const stored = new Map<string, unknown>(Object.entries(known));
  const differs = Object.entries(sent)
    .filter(([field, value]) => !isSameJson(value, stored.get(field)))
    .map(([field]) => field);
  if (differs.length === 0) return [];
  const message = `${known.external_id} is already stored with another ${differs.join(', ')}; nothing was changed.`;
  return [{ code: 'duplicate_with_different_content', pointer: '/external_id', message }];
}
