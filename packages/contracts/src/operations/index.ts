import type { Operation } from '../operation.ts';
import { activityOperations } from './activity.ts';
import { agentActionOperations, agentApprovalOperations, agentFlagOperations } from './agent-runtime.ts';
import { agentOperations } from './agents.ts';
import { apiKeyOperations } from './api-keys.ts';
import { approvalOperations } from './approvals.ts';
import { bankOperations } from './bank.ts';
import { caseOperations } from './cases.ts';
import { cashOperations } from './cash.ts';
import { companyOperations } from './companies.ts';
import { complianceOperations } from './compliance.ts';
import { connectionOperations } from './connections.ts';
import { deliveryOperations } from './deliveries.ts';
import { deviceLoginOperations } from './device-login.ts';
import { directiveOperations } from './directives.ts';
import { eventOperations, eventTypeOperations } from './events.ts';
import { filingOperations } from './filings.ts';
import { financialOperations } from './financials.ts';
import { fxRateOperations } from './fx-rates.ts';
import { endpointReplayOperations, replayOperations } from './replays.ts';
import { requestOperations } from './requests.ts';
import { runtimeSnapshotOperations } from './runtime-snapshots.ts';
import { meOperations, sessionOperations } from './sessions.ts';
import { webhookEndpointOperations } from './webhook-endpoints.ts';
import { wireOperations } from './wires.ts';

/** The path of an operation in this tree is its tRPC path and its `id`. */
export const operations = {
  me: meOperations,
  companies: companyOperations,
  cash: cashOperations,
  bank: { ...bankOperations, ...connectionOperations, ...wireOperations },
  approvals: approvalOperations,
  financials: financialOperations,
  fxRates: fxRateOperations,
  filings: filingOperations,
  compliance: complianceOperations,
  cases: caseOperations,
  directives: directiveOperations,
  webhookEndpoints: { ...webhookEndpointOperations, ...endpointReplayOperations },
  replays: replayOperations,
  agents: agentOperations,
  agentActions: agentActionOperations,
  agentApprovals: agentApprovalOperations,
  agentFlags: agentFlagOperations,
  runtimeSnapshots: runtimeSnapshotOperations,
  apiKeys: apiKeyOperations,
  sessions: sessionOperations,
  events: eventOperations,
  eventTypes: eventTypeOperations,
  deliveries: deliveryOperations,
  activity: activityOperations,
  requests: requestOperations,
};
export type Operations = typeof operations;

interface OperationTree {
  readonly [key: string]: Operation | OperationTree;
}

export function isOperation(node: Operation | OperationTree): node is Operation {
  return 'http' in node && 'input' in node;
}

function assignIds(tree: OperationTree, path: readonly string[] = []): void {
  for (const [name, node] of Object.entries(tree)) {
    const here = [...path, name];
    if (isOperation(node)) node.id = here.join('.');
    else assignIds(node, here);
  }
}
assignIds(operations);
assignIds({ deviceLogins: deviceLoginOperations });

function flatten(tree: OperationTree): Operation[] {
  return Object.values(tree).flatMap((node) => (isOperation(node) ? [node] : flatten(node)));
}

export const operationList: readonly Operation[] = flatten(operations);
