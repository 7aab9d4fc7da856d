import { DomainError } from '../../kernel/domain-error.ts';
import { defineStates } from '../../kernel/state-machine.ts';

export const agentStates = defineStates('agent', { active: ['paused'], paused: ['active'] });

/** An `unlinked` binding can be attached again but not resumed (`bindingDetached`). */
export const bindingStates = defineStates('binding', {
  linked: ['paused', 'unlinked'],
  paused: ['linked', 'unlinked'],
  unlinked: ['linked'],
});

export function bindingDetached(): DomainError {
  return new DomainError('invalid_state_transition', {
    detail: 'The agent is detached from this company. Attach it again before pausing or resuming it there.',
    extra: { current_status: 'unlinked', allowed: ['linked'] },
  });
}
