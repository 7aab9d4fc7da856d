import { agentBinding, type operations } from '@finhook/contracts';
import { assertQuota, quotaLock } from '../../access/quota.ts';
import { recordChange } from '../../outbox/record-change.ts';
import { transaction } from '../../outbox/transaction.ts';
import { rejectFields } from '../../verbs/domain-error.ts';
import { record } from '../../verbs/record.ts';
import { insertRecord, pickGiven } from '../../verbs/record-entity.ts';
import type { Verb } from '../../verbs/verb.ts';
import { lockCompany } from '../companies/lock-company.ts';
import { Agent, addBinding, agentFields, toAgent } from './agent.ts';

export const createAgent: Verb<typeof operations.agents.create> = async (context, input) => {
  const companyId = input.company_id ?? undefined;
  if (companyId === undefined && context.access.companyIds !== undefined) {
    const message = 'is required: the key of this request reaches only some companies';
    rejectFields([{ pointer: '/company_id', code: 'required', message }]);
  }
  return transaction(context, { records: 'audit and event', lock: quotaLock('agents', context) }, async (tx) => {
    if (companyId !== undefined) await lockCompany(tx, context, companyId);
    await assertQuota(tx, context, 'agents');
    const agent = await insertRecord(tx, context, Agent, 'agent', {
      ...pickGiven(input, agentFields),
      status: 'active',
      paused_reason: null,
      metadata: input.metadata ?? {},
    });
    const binding =
      companyId === undefined ? null : await addBinding(tx, context, { agent_id: agent.id, company_id: companyId });
    const after = toAgent(agent, binding ? [binding] : []);
    const data = { ...after, binding: binding && record(agentBinding, binding) };
    const event = { type: 'agent.linked', data } as const;
    recordChange(tx, context, { action: 'agents.create', companyId, after, event });
    return after;
  });
};
