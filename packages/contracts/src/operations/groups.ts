import type { AnyEventType } from '../events/index.ts';
import type { Operations } from './index.ts';

interface Group {
  name: string;
  description: string;
}

export const operationGroups: Record<keyof Operations, Group> = {
  me: { name: 'Me', description: 'The caller: its account, key or session, and what it may do.' },
  companies: { name: 'Companies', description: 'Companies and the steps of their formation.' },
  cash: { name: 'Cash', description: 'Cash balances per day and connection, and cash on hand.' },
  bank: { name: 'Bank', description: 'Bank transactions, provider connections and their syncs, wires and approvals.' },
  approvals: { name: 'Approvals', description: 'What waits for a decision: wires, and requests of agents.' },
  financials: {
    name: 'Financials',
    description: 'Statement snapshots, and the figures that are computed from all data.',
  },
  fxRates: {
    name: 'Exchange rates',
    description: 'The exchange rates of the account, which convert figures into one total.',
  },
  filings: { name: 'Filings', description: 'Filings with authorities: due, open and submitted.' },
  compliance: { name: 'Compliance', description: 'What a company owes to which authority, and when.' },
  cases: { name: 'Cases', description: 'Cases of a company and the comments on them.' },
  directives: { name: 'Directives', description: 'Instructions to a company, a case or an agent.' },
  webhookEndpoints: {
    name: 'Webhook endpoints',
    description: 'Endpoints that events are sent to, their settings and their health.',
  },
  replays: { name: 'Replays', description: 'Sending past events to an endpoint again.' },
  agents: { name: 'Agents', description: 'Agents and the companies and cases that they are attached to.' },
  agentActions: { name: 'Agent actions', description: 'What agents did, and how it ended.' },
  agentApprovals: { name: 'Agent approvals', description: 'Requests of agents for approval.' },
  agentFlags: { name: 'Agent flags', description: 'Concerns that operators raise about an agent.' },
  runtimeSnapshots: { name: 'Runtime snapshots', description: 'Checkpoints of external agent runtimes.' },
  apiKeys: { name: 'API keys', description: 'Keys, what they may do, and their rotation.' },
  sessions: { name: 'Sessions', description: 'Sign-ins to the dashboard.' },
  events: { name: 'Events', description: 'The feed of events, and sending them again.' },
  eventTypes: { name: 'Event types', description: 'The catalogue of events with their schemas.' },
  deliveries: { name: 'Deliveries', description: 'Attempts to deliver events to endpoints.' },
  activity: { name: 'Activity', description: 'The audit log.' },
  requests: { name: 'Requests', description: 'The log of requests to the API.' },
};

/** Reads (left) whose results change with operations (right). Both are ids or their prefixes. */
export const derivedFrom: Readonly<Record<string, readonly string[]>> = {
  cash: ['companies', 'bank.connections', 'financials.settings', 'fxRates'],
  financials: ['companies', 'cash', 'bank.transactions', 'bank.connections', 'fxRates'],
  'bank.transactions': ['bank.connections', 'financials.settings'],
  'bank.syncs': ['bank.connections'],
  'bank.approvals': ['bank.wires'],
  approvals: ['bank.wires', 'bank.approvals', 'agentApprovals'],
  filings: ['compliance'],
  compliance: ['filings'],
  agents: ['runtimeSnapshots'],
  sessions: ['apiKeys'],
  replays: ['webhookEndpoints'],
  webhookEndpoints: ['deliveries'],
};

/** Event types that only jobs emit, by the prefix of the operations on their records. */
export const jobEvents: Readonly<Record<string, readonly AnyEventType[]>> = {
  webhookEndpoints: [
    'webhook_endpoint.failing',
    'webhook_endpoint.disabled',
    'webhook_endpoint.recovered',
    'webhook_endpoint.backlog',
  ],
  deliveries: ['delivery.exhausted'],
};
