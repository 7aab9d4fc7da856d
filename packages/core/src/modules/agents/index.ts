/** agents: the agents of an account and their bindings to companies and cases. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../kernel/verb.ts';
import { attachAgent } from './attach-agent.ts';
import { createAgent } from './create-agent.ts';
import { detachAgent } from './detach-agent.ts';
import { pauseAgent, resumeAgent } from './pause-agent.ts';
import { getAgent, listAgents } from './read-agents.ts';
import { updateAgent } from './update-agent.ts';

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
