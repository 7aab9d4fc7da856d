/** agent-runtime: what agents do, ask people for and tell of themselves. */
export { AgentAction } from './agent-action.entity.ts';
export { AgentApproval } from './agent-approval.entity.ts';
export { AgentFlag } from './agent-flag.entity.ts';
export { cancelApproval } from './cancel-approval.ts';
export { createAction } from './create-action.ts';
export { createFlag } from './create-flag.ts';
export { decideApproval } from './decide-approval.ts';
export { expireAgentApprovals } from './expire-agent-approvals.ts';
export { putRuntimeSnapshot } from './put-runtime-snapshot.ts';
export { getAction, listActions } from './read-actions.ts';
export { getAgentApproval, listAgentApprovals } from './read-approvals.ts';
export { getFlag, listFlags } from './read-flags.ts';
export { getRuntimeSnapshot } from './read-runtime-snapshot.ts';
export { requestApproval } from './request-approval.ts';
export { resolveFlag } from './resolve-flag.ts';
export { RuntimeSnapshot } from './runtime-snapshot.entity.ts';
export { updateAction } from './update-action.ts';
