import { defineStates } from '../../kernel/state-machine.ts';

/** The first token or the first row makes a connection active, a sync that does not succeed puts it in error. */
export const connectionStates = defineStates('bank connection', {
  pending: ['active', 'disconnected'],
  active: ['error', 'disconnected'],
  error: ['active', 'disconnected'],
  disconnected: [],
});
