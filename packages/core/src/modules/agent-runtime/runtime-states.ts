import { defineStates } from '../../kernel/state-machine.ts';

export const actionStates = defineStates('action', {
  logged: ['completed', 'failed', 'blocked'],
  blocked: ['completed', 'failed'],
  completed: [],
  failed: [],
});

export const approvalStates = defineStates('approval', {
  pending: ['approved', 'denied', 'expired', 'cancelled'],
  approved: [],
  denied: [],
  expired: [],
  cancelled: [],
});

export const flagStates = defineStates('flag', { open: ['resolved'], resolved: [] });
