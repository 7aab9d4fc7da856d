import {
  type AgentAction as AgentActionRecord,
  agentAction,
  type FieldError,
  normalizeCurrency,
  type operations,
} from '@finhook/contracts';
import { recordChange } from '../../../outbox/record-change.ts';
import { transaction } from '../../../outbox/transaction.ts';
import { checkMoment, dayLimits } from '../../../time/calendar.ts';
import { CLOCK_SKEW_MS } from '../../../time/clock.ts';
import { rejectFields } from '../../../verbs/domain-error.ts';
import { record } from '../../../verbs/record.ts';
import type { InputOf, Verb } from '../../../verbs/verb.ts';
import { lockCompany } from '../../companies/lock-company.ts';
import { assertApprovalOf } from '../approvals/approval.ts';
import { type AgentAction, actionStates, findAction } from './action.ts';
import { redactSecrets } from './redact-secrets.ts';

type Op = typeof operations.agentActions.update;
type Status = AgentActionRecord['status'];

type Outcome = Omit<InputOf<Op>, 'action_id' | 'status'>;

function isFinal(status: Status): boolean {
  return status === 'completed' || status === 'failed';
}

/** Defaults to now, or to a start up to `CLOCK_SKEW_MS` ahead of now: the caller's clock may be fast. */
function endOf({ finished_at }: Outcome, startedAt: Date, now: Date): Date {
  if (finished_at != null) return new Date(finished_at);
  const lead = startedAt.getTime() - now.getTime();
  return lead > 0 && lead <= CLOCK_SKEW_MS ? startedAt : now;
}

/** Only a failed action has an error, and only a blocked one a reason. */
export function outcomeErrors(
  status: Status,
  outcome: Outcome,
  startedAt: Date,
  now: Date,
): (FieldError | undefined)[] {
  const errors: (FieldError | undefined)[] = [];
  const belongs = (field: 'error' | 'blocked', owner: Status): void => {
    const given = outcome[field] != null;
    if (status === owner && !given)
      errors.push({ pointer: `/${field}`, code: 'required', message: `is required when status is ${owner}` });
    if (status !== owner && given)
      errors.push({ pointer: `/${field}`, code: 'not_applicable', message: `is only allowed with status ${owner}` });
  };
  belongs('error', 'failed');
  belongs('blocked', 'blocked');
  for (const field of ['finished_at', 'duration_ms'] as const) {
    if (outcome[field] != null && !isFinal(status))
      errors.push({ pointer: `/${field}`, code: 'not_applicable', message: 'is only for status completed or failed' });
  }
  if (isFinal(status)) errors.push(endError(endOf(outcome, startedAt, now), startedAt, now));
  return errors;
}

function endError(finishedAt: Date, startedAt: Date, now: Date): FieldError | undefined {
  const pointer = '/finished_at';
  if (finishedAt >= startedAt) return checkMoment(pointer, finishedAt, dayLimits(now));
  return { pointer, code: 'date_out_of_range', message: 'must not be earlier than started_at; the default is now' };
}

export function shownOutcome({
  output,
  error,
  blocked,
  cost,
}: Outcome): Partial<Pick<AgentActionRecord, 'output' | 'error' | 'blocked' | 'cost'>> {
  return {
    ...(output == null ? {} : { output: redactSecrets(output) }),
    ...(error == null ? {} : { error: { code: error.code, message: error.message } }),
    ...(blocked == null ? {} : { blocked: record(agentAction.shape.blocked.unwrap(), blocked) }),
    ...(cost == null ? {} : { cost: costRecord(cost) }),
  };
}

export function outcomeColumns(
  status: Status,
  outcome: Outcome,
  startedAt: Date,
  now: Date,
): Pick<AgentAction, 'status'> &
  Partial<Pick<AgentAction, 'output' | 'error' | 'blocked' | 'cost' | 'finished_at' | 'duration_ms'>> {
  const finished_at = endOf(outcome, startedAt, now);
  const elapsed = finished_at.getTime() - startedAt.getTime();
  return {
    status,
    ...shownOutcome(outcome),
    ...(isFinal(status) ? { finished_at, duration_ms: outcome.duration_ms ?? elapsed } : {}),
  };
}

function costRecord(cost: NonNullable<Outcome['cost']>): NonNullable<AgentActionRecord['cost']> {
  const currency = normalizeCurrency(cost.currency ?? '') ?? null;
  return record(agentAction.shape.cost.unwrap(), cost, { currency });
}

/** Also updates actions logged before the agent was paused, so that the log is complete. */
export const updateAction: Verb<Op> = (context, input) =>
  transaction(context, { records: 'audit and event', lock: input.action_id }, async (tx) => {
    const action = await findAction(tx.em, context, input.action_id, true);
    await lockCompany(tx, context, action.company_id);
    const before = record(agentAction, action);
    if (!actionStates.moves(action.status, input.status)) return before;
    const now = context.clock.now();
    rejectFields(outcomeErrors(input.status, input, action.started_at, now));
    await assertApprovalOf(tx.em, action, input.blocked?.approval_id);
    tx.em.assign(action, { ...outcomeColumns(input.status, input, action.started_at, now), updated_at: now });
    await tx.em.flush();
    const after = record(agentAction, action);
    recordChange(tx, context, {
      action: 'agentActions.update',
      before,
      after,
      event: { type: `agent.action.${input.status}`, data: { ...after, previous_status: before.status } },
    });
    return after;
  });
