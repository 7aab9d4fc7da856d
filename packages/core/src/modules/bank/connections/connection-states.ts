import { defineStates } from '../../../kernel/state-machine.ts';

/** The first token or row activates a connection; a failed sync sets it to error. */
export const connectionStates = defineStates('bank connection', {
  pending: ['active', 'disconnected'],
  active: ['error', 'disconnected'],
  error: ['active', 'disconnected'],
  disconnected: [],
});
