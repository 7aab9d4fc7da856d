/** agents: the agents of an account and what attaches them to companies and cases. */
export { Agent } from './agent.entity.ts';
export { AgentBinding } from './agent-binding.entity.ts';
export { assertCase } from './assert-case.ts';
export { attachAgent } from './attach-agent.ts';
export { attachedAgents, notAttached } from './attached-agents.ts';
export { createAgent } from './create-agent.ts';
export { detachAgent } from './detach-agent.ts';
export { assertWholeAgent, findAgent, mayKnowAgent } from './find-agent.ts';
export { lockAgentAt, refuseWhilePaused } from './lock-agent-at.ts';
export { pauseAgent, resumeAgent } from './pause-agent.ts';
export { getAgent, listAgents } from './read-agents.ts';
export { updateAgent } from './update-agent.ts';
