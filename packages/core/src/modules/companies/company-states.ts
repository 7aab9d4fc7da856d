import { defineStates } from '../../kernel/state-machine.ts';

export const companyStates = defineStates('company', {
  forming: ['active'],
  active: ['dissolved'],
  dissolved: [],
});

/** A completed step remains completed. */
export const stepStates = defineStates('formation step', { pending: ['completed'], completed: [] });
