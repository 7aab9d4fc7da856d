import { agentFlag, type operations } from '@finhook/contracts';
import { recordChange } from '../../outbox/record-change.ts';
import { transaction } from '../../outbox/transaction.ts';
import { type RowOf, record } from '../../verbs/record.ts';
import { columnsOf, insertRecord, pickGiven, recordEntity, recordFinder } from '../../verbs/record-entity.ts';
import { defineStates } from '../../verbs/state-machine.ts';
import { listVerb, type Verb } from '../../verbs/verb.ts';
import { assertCase, lockAgentAt } from '../agents/lock-agent-at.ts';
import { lockCompany } from '../companies/lock-company.ts';
import { assertActionOf } from './actions/action.ts';
import { filterAgentWork, visibleWork } from './agent-work.ts';

const AgentFlagSchema = recordEntity('AgentFlag', 'agent_flag', columnsOf(agentFlag));

export class AgentFlag extends AgentFlagSchema.class {}
AgentFlagSchema.setClass(AgentFlag);

const flagStates = defineStates('flag', { open: ['resolved'], resolved: [] });

export const createFlag: Verb<typeof operations.agentFlags.create> = (context, input) =>
  transaction(context, { records: 'audit and event' }, async (tx) => {
    await lockAgentAt(tx, context, input, { allowDetached: true });
    await assertCase(tx, context, input.company_id, input.case_id);
    await assertActionOf(tx.em, input, input.action_id);
    const flag = await insertRecord(tx, context, AgentFlag, 'flag', {
      ...pickGiven(input, ['agent_id', 'company_id', 'action_id', 'case_id', 'title', 'body']),
      severity: input.severity ?? 'warning',
      status: 'open',
      raised_by: context.actor,
    });
    const after = record(agentFlag, flag);
    const event = { type: 'agent.flag.created', data: after } as const;
    recordChange(tx, context, { action: 'agentFlags.create', after, event });
    return after;
  });

const findFlag = recordFinder(AgentFlag, 'flag', visibleWork);

export const getFlag: Verb<typeof operations.agentFlags.get> = async (context, input) =>
  record(agentFlag, await findFlag(context.database.em(), context, input.flag_id));

export const listFlags = listVerb<typeof operations.agentFlags.list, RowOf<typeof agentFlag>>({
  table: 'agent_flag',
  prefix: 'flag',
  async filters(filters, context, input) {
    await filterAgentWork(filters, context, input);
    filters.whereEqual(input, ['status', 'severity', 'action_id']);
  },
  map: (row) => record(agentFlag, row),
});

export const resolveFlag: Verb<typeof operations.agentFlags.resolve> = (context, input) =>
  transaction(context, { records: 'audit and event', lock: input.flag_id }, async (tx) => {
    const flag = await findFlag(tx.em, context, input.flag_id, true);
    await lockCompany(tx, context, flag.company_id);
    const before = record(agentFlag, flag);
    if (!flagStates.moves(flag.status, 'resolved')) return before;
    const now = context.clock.now();
    flag.status = 'resolved';
    flag.resolved_at = now;
    flag.resolved_by = context.actor;
    flag.resolution_note = input.note ?? null;
    flag.updated_at = now;
    await tx.em.flush();
    const after = record(agentFlag, flag);
    const event = { type: 'agent.flag.resolved', data: after } as const;
    recordChange(tx, context, { action: 'agentFlags.resolve', before, after, event });
    return after;
  });
