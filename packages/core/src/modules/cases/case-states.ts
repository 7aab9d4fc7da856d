import type { Case, Directive } from '@finhook/contracts';
import { defineStates } from '../../kernel/state-machine.ts';

export const caseStates = defineStates<Case['status']>('case', {
  open: ['waiting', 'closed'],
  waiting: ['open', 'closed'],
  closed: ['open'],
});

export const directiveStates = defineStates<Directive['status']>('directive', {
  issued: ['suspended', 'resolved'],
  suspended: ['issued', 'resolved'],
  resolved: [],
});
