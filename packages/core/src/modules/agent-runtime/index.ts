/** agent-runtime: actions of agents, their approval requests, flags about them, and their runtimes' state. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../verbs/verb.ts';
import { getAction, listActions } from './actions/action.ts';
import { createAction } from './actions/create.ts';
import { updateAction } from './actions/outcome.ts';
import { getAgentApproval, listAgentApprovals } from './approvals/approval.ts';
import { cancelApproval, decideApproval } from './approvals/decide.ts';
import { requestApproval } from './approvals/request.ts';
import { createFlag, getFlag, listFlags, resolveFlag } from './flags.ts';
import { getRuntimeSnapshot, putRuntimeSnapshot } from './runtime-snapshots.ts';

export const agentActions = {
  create: createAction,
  list: listActions,
  get: getAction,
  update: updateAction,
} satisfies Handlers<typeof operations.agentActions>;

export const agentApprovals = {
  request: requestApproval,
  list: listAgentApprovals,
  get: getAgentApproval,
  decide: decideApproval,
  cancel: cancelApproval,
} satisfies Handlers<typeof operations.agentApprovals>;

export const agentFlags = {
  create: createFlag,
  list: listFlags,
  get: getFlag,
  resolve: resolveFlag,
} satisfies Handlers<typeof operations.agentFlags>;

export const runtimeSnapshots = {
  put: putRuntimeSnapshot,
  get: getRuntimeSnapshot,
} satisfies Handlers<typeof operations.runtimeSnapshots>;
