import { agentAction, type operations } from '@finhook/contracts';
import { type EntityManager, p } from '@mikro-orm/postgresql';
import { rejectFields } from '../../../verbs/domain-error.ts';
import { type RowOf, record } from '../../../verbs/record.ts';
import { columnsOf, recordEntity, recordFinder } from '../../../verbs/record-entity.ts';
import { defineStates } from '../../../verbs/state-machine.ts';
import { listVerb, type Verb } from '../../../verbs/verb.ts';
import { filterAgentWork, type Owners, visibleWork } from '../agent-work.ts';

const AgentActionSchema = recordEntity('AgentAction', 'agent_action', {
  ...columnsOf(agentAction),
  duration_ms: p.bigint('number').nullable(),
});

export class AgentAction extends AgentActionSchema.class {}
AgentActionSchema.setClass(AgentAction);

export const actionStates = defineStates('action', {
  logged: ['completed', 'failed', 'blocked'],
  blocked: ['completed', 'failed'],
  completed: [],
  failed: [],
});

export const findAction = recordFinder(AgentAction, 'action', visibleWork);

export const getAction: Verb<typeof operations.agentActions.get> = async (context, input) =>
  record(agentAction, await findAction(context.database.em(), context, input.action_id));

export const listActions = listVerb<typeof operations.agentActions.list, RowOf<typeof agentAction, 'duration_ms'>>({
  table: 'agent_action',
  prefix: 'act',
  async filters(filters, context, input) {
    await filterAgentWork(filters, context, input);
    filters.whereEqual(input, ['status', 'type', 'run_id', 'external_id', 'case_id']);
  },
  map: (row) => record(agentAction, row),
});

export async function assertActionOf(
  em: EntityManager,
  { agent_id, company_id }: Owners,
  id: string | null | undefined,
): Promise<void> {
  if (id == null || (await em.count(AgentAction, { id, agent_id, company_id })) > 0) return;
  const message = 'names no action of this agent at this company';
  rejectFields([{ pointer: '/action_id', code: 'record_not_found', message }]);
}

/** Null for an action without a case, and for an unknown one. */
export async function caseOfAction(
  em: EntityManager,
  { agent_id, company_id }: Owners,
  id: string | null | undefined,
): Promise<string | null> {
  if (id == null) return null;
  const action = await em.findOne(AgentAction, { id, agent_id, company_id }, { fields: ['case_id'] });
  return action?.case_id ?? null;
}
