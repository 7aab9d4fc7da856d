import type { ReplayStatus } from '@finhook/contracts';
import { defineStates } from '../../kernel/state-machine.ts';

/** Its caller pauses, resumes and cancels a replay; that it is completed, or can't go on, the worker finds. */
export const replayStates = defineStates<ReplayStatus>('replay', {
  running: ['paused', 'completed', 'cancelled', 'failed'],
  paused: ['running', 'cancelled', 'failed'],
  completed: [],
  cancelled: [],
  failed: [],
});
