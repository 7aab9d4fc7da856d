import { notYetEmitted } from './define-event.ts';

const group = 'Agents';
const runtime = 'Agent runtime';

export const agentEvents = {
  'agent.linked': notYetEmitted(group, 'A new agent is created (dashboard, `/api/v1/agents`, or onboarding).'),
  'agent.updated': notYetEmitted(group, "An agent's name, provider, model, phone or email changes."),
  'agent.paused': notYetEmitted(group, 'The agent or its case binding on a company is paused.'),
  'agent.resumed': notYetEmitted(group, 'The agent or its case binding is resumed.'),
  'agent.unlinked': notYetEmitted(group, 'An agent is detached from a company.'),
};

export const agentRuntimeEvents = {
  'agent.action.logged': notYetEmitted(runtime, 'Agent runtime action logged.'),
  'agent.action.completed': notYetEmitted(runtime, 'Agent runtime action completed.'),
  'agent.action.failed': notYetEmitted(runtime, 'Agent runtime action failed.'),
  'agent.action.blocked': notYetEmitted(runtime, 'Agent runtime action blocked.'),
  'agent.approval.requested': notYetEmitted(runtime, 'Operator approval requested.'),
  'agent.approval.decided': notYetEmitted(runtime, 'Operator approval decided.'),
  'agent.flag.created': notYetEmitted(runtime, 'Operator-raised flag created.'),
  'agent.flag.resolved': notYetEmitted(runtime, 'Operator-raised flag resolved.'),
  'partner.runtime.snapshot.updated': notYetEmitted(runtime, 'Runtime checkpoint of the external agent runtime.'),
};
