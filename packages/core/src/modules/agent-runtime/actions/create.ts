import { type AgentAction as AgentActionRecord, agentAction, type operations, type Warning } from '@finhook/contracts';
import { emit } from '../../../outbox/emit.ts';
import { isSameJson, recordChange } from '../../../outbox/record-change.ts';
import { transaction, type UnitOfWork } from '../../../outbox/transaction.ts';
import { checkMoment, dayLimits } from '../../../time/calendar.ts';
import { rejectFields } from '../../../verbs/domain-error.ts';
import { record } from '../../../verbs/record.ts';
import { insertRecord, pickGiven } from '../../../verbs/record-entity.ts';
import type { InputOf, Verb } from '../../../verbs/verb.ts';
import { assertCase, lockAgentAt, rejectWhilePaused } from '../../agents/lock-agent-at.ts';
import { assertApprovalOf } from '../approvals/approval.ts';
import { AgentAction } from './action.ts';
import { outcomeColumns, outcomeErrors, shownOutcome } from './outcome.ts';
import { redactSecrets } from './redact-secrets.ts';

type Op = typeof operations.agentActions.create;

export const createAction: Verb<Op> = async (context, input) => {
  const now = context.clock.now();
  const status = input.status ?? 'logged';
  const startedAt = input.started_at == null ? now : new Date(input.started_at);
  rejectFields([
    checkMoment('/started_at', startedAt, dayLimits(now)),
    ...outcomeErrors(status, input, startedAt, now),
  ]);
  const lock = input.external_id == null ? [] : `agent_action|${input.agent_id}|${input.external_id}`;
  return transaction(context, { records: 'audit and event', lock }, async (tx) => {
    const acting = await lockAgentAt(tx, context, input);
    const known = await findRepeat(tx, input);
    if (known) return { ...known, result: 'unchanged', warnings: differenceWarnings(input, known) };
    rejectWhilePaused(acting);
    await assertCase(tx, context, input.company_id, input.case_id);
    await assertApprovalOf(tx.em, input, input.blocked?.approval_id);
    const fields = {
      ...pickGiven(input, ['agent_id', 'company_id', 'case_id', 'run_id', 'external_id', 'type', 'risk']),
      title: input.title ?? input.type,
      input: redactSecrets(input.input ?? null),
      output: null,
      started_at: startedAt,
      ...outcomeColumns(status, input, startedAt, now),
    };
    const after = record(agentAction, await insertRecord(tx, context, AgentAction, 'act', fields, now));
    recordChange(tx, context, {
      action: 'agentActions.create',
      after,
      event: { type: 'agent.action.logged', data: { ...asLogged(after), previous_status: null } },
    });
    if (after.status !== 'logged') {
      const data = { ...after, previous_status: 'logged' as const };
      emit(tx, context, { type: `agent.action.${after.status}`, companyId: after.company_id, data });
    }
    return { ...after, result: 'created', warnings: [] };
  });
};

function asLogged(action: AgentActionRecord): AgentActionRecord {
  const nothing = { output: null, error: null, blocked: null, cost: null, finished_at: null, duration_ms: null };
  return action.status === 'logged' ? action : { ...action, ...nothing, status: 'logged' };
}

async function findRepeat(tx: UnitOfWork, input: InputOf<Op>): Promise<AgentActionRecord | undefined> {
  if (input.external_id == null) return undefined;
  const known = await tx.em.findOne(AgentAction, { agent_id: input.agent_id, external_id: input.external_id });
  if (known && known.company_id !== input.company_id) {
    const message = 'belongs to an action of this agent at another company';
    rejectFields([{ pointer: '/external_id', code: 'already_exists', message }]);
  }
  return known ? record(agentAction, known) : undefined;
}

/** An omitted outcome or time counts as equal. */
function differenceWarnings(input: InputOf<Op>, known: AgentActionRecord): Warning[] {
  const sent: Partial<AgentActionRecord> = {
    type: input.type,
    title: input.title ?? input.type,
    case_id: input.case_id ?? null,
    run_id: input.run_id ?? null,
    risk: input.risk ?? null,
    input: redactSecrets(input.input ?? null),
    ...(input.status == null ? {} : { status: input.status }),
    ...shownOutcome(input),
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
