/** replays: background redelivery of missed events to an endpoint, alongside new events. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../verbs/verb.ts';
import { recoverEndpoint, replayEndpoint } from './begin.ts';
import { cancelReplay, getReplay, listReplays, pauseReplay, resumeReplay } from './replay.ts';

export const replays = {
  list: listReplays,
  get: getReplay,
  pause: pauseReplay,
  resume: resumeReplay,
  cancel: cancelReplay,
} satisfies Handlers<typeof operations.replays>;

export const endpointReplays = {
  recover: recoverEndpoint,
  replay: replayEndpoint,
} satisfies Handlers<Pick<typeof operations.webhookEndpoints, 'recover' | 'replay'>>;
