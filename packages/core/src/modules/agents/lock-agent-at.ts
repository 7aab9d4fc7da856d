import type { FieldError } from '@finhook/contracts';
import { type Queryable, statement } from '../../db/queryable.ts';
import type { Context } from '../../verbs/context.ts';
import { companyNotFound, DomainError, notFound, rejectFields, rejectWithFields } from '../../verbs/domain-error.ts';
import { lockCompany } from '../companies/lock-company.ts';
import { canSeeAgent, findAgent } from './agent.ts';

export interface AgentAssignment {
  agent_id: string;
  company_id?: string | null | undefined;
  case_id?: string | null | undefined;
}

export interface Acting {
  agentStatus: 'active' | 'paused';
  bindingStatus: 'linked' | 'paused' | 'unlinked' | null;
}

type Binding = { status: 'linked' | 'paused' | 'unlinked'; case_id: string | null };

// Changes of an agent or its bindings lock this row FOR UPDATE.
const shareAgent = statement('share_agent', 'SELECT status FROM agent WHERE id = $1 AND account_id = $2 FOR SHARE');
const readBindings = statement(
  'read_bindings_at',
  'SELECT status, case_id FROM agent_binding WHERE company_id = $1 AND agent_id = $2',
);

interface BindingOptions {
  allowDetached?: boolean;
  /** Without a case, accepts a binding to any case of the company, preferably one that is not paused. */
  allowAnyCase?: boolean;
}

function effectiveBinding(
  bindings: readonly Binding[],
  caseId: string | null | undefined,
  { allowDetached = false, allowAnyCase = false }: BindingOptions,
): Binding | undefined {
  const live = bindings.filter(({ status }) => status !== 'unlinked');
  const exact =
    live.find(({ case_id }) => case_id === (caseId ?? null)) ?? live.find(({ case_id }) => case_id === null);
  const ofAnyCase = live.find(({ status }) => status === 'linked') ?? live[0];
  return exact ?? (allowAnyCase && caseId == null ? ofAnyCase : undefined) ?? (allowDetached ? bindings[0] : undefined);
}

/** Share-locks an agent and its company. Throws unless both are accessible and the agent is attached. */
export async function lockAgentAt(
  db: Queryable,
  context: Context,
  assignment: AgentAssignment,
  options: BindingOptions = {},
): Promise<Acting> {
  if (!canSeeAgent(context, assignment.agent_id)) throw notFound('agent');
  // A restricted key gets the same error for an inaccessible agent as for an unknown one.
  if (context.scope !== 'agent' && context.access.companyIds !== undefined)
    await findAgent(context, assignment.agent_id);
  const [agent] = await db.query<{ status: Acting['agentStatus'] }>(shareAgent, [
    assignment.agent_id,
    context.accountId,
  ]);
  if (!agent) throw notFound('agent');
  if (assignment.company_id == null) return { agentStatus: agent.status, bindingStatus: null };
  const company = await lockCompany(db, context, assignment.company_id);
  const bindings = await db.query<Binding>(readBindings, [company.id, assignment.agent_id]);
  const binding = effectiveBinding(bindings, assignment.case_id, options);
  if (!binding) return rejectUnattached(context, assignment);
  return { agentStatus: agent.status, bindingStatus: binding.status };
}

async function rejectUnattached(context: Context, { agent_id, case_id }: AgentAssignment): Promise<never> {
  if (context.scope === 'agent') throw companyNotFound();
  // Throws `not_found` if a restricted key may not see the agent.
  await findAgent(context, agent_id);
  const where = case_id == null ? 'company' : 'company or case';
  const message = `names a company that the agent is not attached to; attach it to the ${where} first`;
  rejectWithFields([{ pointer: '/company_id', code: 'company_not_found', message }]);
}

export function rejectWhilePaused({ agentStatus, bindingStatus }: Acting): void {
  if (agentStatus === 'paused') throw pausedError('The agent is paused', ['active']);
  if (bindingStatus === 'paused') throw pausedError('The agent is paused for this company', ['linked', 'unlinked']);
}

function pausedError(what: string, allowed: readonly string[]): DomainError {
  return new DomainError('invalid_state_transition', {
    detail: `${what} and does not act there until it is resumed.`,
    extra: { current_status: 'paused', allowed },
  });
}

const findCase = statement(
  'find_case_of_company',
  'SELECT id FROM case_file WHERE id = $1 AND account_id = $2 AND company_id = $3',
);

export async function assertCase(
  db: Queryable,
  context: Context,
  companyId: string,
  caseId: string | null | undefined,
): Promise<void> {
  if (caseId == null) return;
  const rows = await db.query(findCase, [caseId, context.accountId, companyId]);
  if (rows.length > 0) return;
  rejectFields([{ pointer: '/case_id', code: 'record_not_found', message: 'is not a case of this company' }]);
}

const findAttached = statement(
  'find_attached_agents',
  `SELECT a.id, a.name FROM agent a WHERE a.id = ANY ($1::text[]) AND a.account_id = $2 AND EXISTS (
     SELECT FROM agent_binding b WHERE b.agent_id = a.id AND b.company_id = $3 AND b.status <> 'unlinked'
   )`,
);

/** Names of those `ids` that are agents attached to the company or one of its cases, paused or not. */
export async function attachedAgents(
  db: Queryable,
  context: Context,
  companyId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: string; name: string }>(findAttached, [ids, context.accountId, companyId]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export function notAttached(pointer: string): FieldError {
  return { pointer, code: 'agent_not_found', message: 'is not an agent that is attached to this company' };
}
