import {
  type AgentApprovalDecision,
  type AgentApproval as AgentApprovalRecord,
  agentApproval,
  type operations,
} from '@finhook/contracts';
import { type EntityManager, p } from '@mikro-orm/postgresql';
import { filterExpiring } from '../../../lists/keyset.ts';
import { systemActor } from '../../../verbs/context.ts';
import { rejectFields } from '../../../verbs/domain-error.ts';
import { type RowOf, record } from '../../../verbs/record.ts';
import { columnsOf, recordEntity, recordFinder } from '../../../verbs/record-entity.ts';
import { defineStates } from '../../../verbs/state-machine.ts';
import { listVerb, type Verb } from '../../../verbs/verb.ts';
import { filterAgentWork, type Owners, visibleWork } from '../agent-work.ts';
import { type StoredApprovalActor, toApprovalActor } from './approval-actor.ts';

const AgentApprovalSchema = recordEntity('AgentApproval', 'agent_approval', {
  ...columnsOf(agentApproval),
  /** Null in rows of version 0.2.0. */
  option_decisions: p.array().columnType('text[]').$type<AgentApprovalDecision[]>().nullable(),
  requested_by: p.json().$type<StoredApprovalActor>().nullable(),
  decided_by: p.json().$type<StoredApprovalActor>().nullable(),
});

export class AgentApproval extends AgentApprovalSchema.class {}
AgentApprovalSchema.setClass(AgentApproval);

export const approvalStates = defineStates('approval', {
  pending: ['approved', 'denied', 'expired', 'cancelled'],
  approved: [],
  denied: [],
  expired: [],
  cancelled: [],
});

type Derived = 'option_decisions' | 'requested_by' | 'decided_by';

interface AgentApprovalRow extends RowOf<typeof agentApproval, never, Derived> {
  option_decisions: AgentApprovalDecision[] | null;
  requested_by: StoredApprovalActor | null;
  decided_by: StoredApprovalActor | null;
}

const denials = ['deny', 'denied', 'reject', 'rejected', 'decline', 'refuse', 'no'];
const denialStart =
  /^(?:(?:deny|reject|decline|refuse|never|don't|do\s+not)(?![\p{L}\p{N}_])|no\s*[,.\p{Pd}]|no\s+thanks(?![\p{L}\p{N}_]))/u;

/** The decision of an option that names none, from its text. */
export function decisionOfText(option: string): AgentApprovalDecision {
  const text = option.toLowerCase().replaceAll('’', "'").trim();
  return denials.includes(text) || denialStart.test(text) ? 'deny' : 'approve';
}

/** As of `now`: a pending approval expires on time, before the job stores that. */
export function toAgentApproval(row: AgentApproval | AgentApprovalRow, now: Date): AgentApprovalRecord {
  const stored = toStoredApproval(row);
  const { status, expires_at } = stored;
  if (status !== 'pending' || expires_at === null || new Date(expires_at) > now) return stored;
  const at = new Date(expires_at).toISOString();
  const decided_by = toApprovalActor(systemActor);
  return { ...stored, status: 'expired', decided_at: at, decided_by, updated_at: at };
}

export function toStoredApproval(row: AgentApproval | AgentApprovalRow): AgentApprovalRecord {
  return record(agentApproval, row, {
    option_decisions: row.option_decisions ?? row.options.map(decisionOfText),
    requested_by: row.requested_by ? toApprovalActor(row.requested_by) : null,
    decided_by: row.decided_by ? toApprovalActor(row.decided_by) : null,
  });
}

export const findApproval = recordFinder(AgentApproval, 'approval', visibleWork);

export const getAgentApproval: Verb<typeof operations.agentApprovals.get> = async (context, input) => {
  const found = await findApproval(context.database.em(), context, input.agent_approval_id);
  return toAgentApproval(found, context.clock.now());
};

export const listAgentApprovals = listVerb<typeof operations.agentApprovals.list, AgentApprovalRow, Date>({
  table: 'agent_approval',
  prefix: 'aap',
  times: false,
  async filters(filters, context, input) {
    const now = context.clock.now();
    await filterAgentWork(filters, context, input);
    filters.whereTimes({ ...input, updated_since: undefined });
    filterExpiring(filters, input, now);
    filters.whereEqual(input, ['action_id']);
    return now;
  },
  map: toAgentApproval,
});

export async function assertApprovalOf(
  em: EntityManager,
  { agent_id, company_id }: Owners,
  id: string | null | undefined,
): Promise<void> {
  if (id == null || (await em.count(AgentApproval, { id, agent_id, company_id })) > 0) return;
  const message = 'names no approval that this agent asked for at this company';
  rejectFields([{ pointer: '/blocked/approval_id', code: 'record_not_found', message }]);
}
