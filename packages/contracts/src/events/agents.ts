import { z } from 'zod';
import { agent, agentBinding } from '../records/agent.ts';
import { actor } from '../records/api-key.ts';
import { changeFields } from '../records/change-fields.ts';
import { id } from '../scalars.ts';
import { at, defineEvent, idIn, sampleActor, sampleOf } from './define-event.ts';

const group = 'Agents';

const binding = sampleOf(agentBinding, {
  role: 'bookkeeper',
  status: 'linked',
});

const sample = sampleOf(agent, {
  name: 'Bookkeeper',
  provider: 'example',
  model: 'ledger-3',
  phone: '+14155550123',
  email: 'bookkeeper@example.com',
  status: 'active',
  bindings: [binding],
  metadata: {},
});

const ofBinding = {
  binding: agentBinding
    .nullable()
    .meta({ description: 'The binding that the event is about; null for the whole agent.' }),
};
const boundIds = {
  binding_id: idIn('binding', 'id', id('bind')),
  company_id: idIn('binding', 'company_id', id('co')),
  case_id: idIn('binding', 'case_id', id('case')),
};
const reason = z.string().nullable().describe('Reason that the caller gave; null if none.');
/** The event names no company if it is about the whole agent. */
const moved = agent.extend({
  ...ofBinding,
  scope: z.enum(['agent', 'binding']).describe('`agent` for the whole agent, `binding` for one of its bindings.'),
  reason,
  actor: actor.describe('Who paused or resumed the agent.'),
});

const paused = { ...binding, status: 'paused' as const };
const unlinked = { ...binding, status: 'unlinked' as const, unlinked_at: at };

export const agentEvents = {
  'agent.linked': defineEvent({
    group,
    description: 'An agent is created or attached to a company.',
    data: agent.extend(ofBinding),
    thin: ['object', 'id', 'status'],
    thinIds: boundIds,
    sample: { ...sample, binding },
  }),
  'agent.updated': defineEvent({
    group,
    description: "An agent's name, provider, model, phone or email changes.",
    data: agent.extend(changeFields),
    thin: ['object', 'id', 'status'],
    sample: { ...sample, changed: ['model'], previous: { model: 'ledger-2' } },
  }),
  'agent.paused': defineEvent({
    group,
    description: 'An agent is paused, everywhere or in one company or case.',
    data: moved,
    thin: ['object', 'id', 'status', 'scope'],
    thinIds: boundIds,
    sample: {
      ...sample,
      bindings: [paused],
      binding: paused,
      scope: 'binding',
      reason: 'Under review',
      actor: sampleActor,
    },
  }),
  'agent.resumed': defineEvent({
    group,
    description: 'An agent is resumed, everywhere or in one company or case.',
    data: moved,
    thin: ['object', 'id', 'status', 'scope'],
    thinIds: boundIds,
    sample: { ...sample, binding, scope: 'binding', reason: 'Reviewed', actor: sampleActor },
  }),
  'agent.unlinked': defineEvent({
    group,
    description: 'An agent is detached from a company.',
    data: agent.extend({ binding: agentBinding.describe('The binding that was detached.'), reason }),
    thin: ['object', 'id', 'status'],
    thinIds: boundIds,
    sample: { ...sample, bindings: [unlinked], binding: unlinked, reason: 'Engagement ended' },
  }),
};
