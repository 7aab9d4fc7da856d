/** agents: the agents of an account and their bindings to companies and cases. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../verbs/verb.ts';
import { attachAgent, detachAgent } from './attach.ts';
import { createAgent } from './create.ts';
import { pauseAgent, resumeAgent } from './pause.ts';
import { getAgent, listAgents } from './read.ts';
import { updateAgent } from './update.ts';

export const agents = {
  create: createAgent,
  get: getAgent,
  list: listAgents,
  update: updateAgent,
  pause: pauseAgent,
  resume: resumeAgent,
  attach: attachAgent,
  detach: detachAgent,
} satisfies Handlers<typeof operations.agents>;
