/** agent-runtime: actions of agents, their approval requests, flags about them, and their runtimes' state. */
import type { operations } from '@finhook/contracts';
import type { Handlers } from '../../kernel/verb.ts';
import { cancelApproval } from './cancel-approval.ts';
import { createAction } from './create-action.ts';
import { createFlag } from './create-flag.ts';
import { decideApproval } from './decide-approval.ts';
import { getAction, listActions } from './read-actions.ts';
import { getAgentApproval, listAgentApprovals } from './read-approvals.ts';
import { getFlag, listFlags } from './read-flags.ts';
import { requestApproval } from './request-approval.ts';
import { resolveFlag } from './resolve-flag.ts';
import { getRuntimeSnapshot, putRuntimeSnapshot } from './runtime-snapshots.ts';
import { updateAction } from './update-action.ts';

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
