import { type Operation, operations } from '@finhook/contracts';
import type { Input } from './api-client.ts';
import type { Stage } from './event-causes.ts';

/** A call that moves a record to a state. */
interface Move {
  operation: Operation;
  to: string;
  input?: Input;
  /** Made by another person than the one who made the record. */
  byOther?: boolean;
}

/** A record's life as records.md tells it, in full: every state, and where each may go. */
export interface Machine {
  next: Readonly<Record<string, readonly string[]>>;
  /** Makes a record in its first state; the ids that the moves take. */
  make: (stage: Stage) => Promise<Input>;
  moves: Readonly<Record<string, Move>>;
  /** The moves that bring a new record into a state; it is put there in the database where there are none. */
  ways: Readonly<Record<string, readonly string[] | { table: string; set: string }>>;
  /** The name of the record's id among those that `make` gives. */
  id: string;
  /** Where the record's status is read in a response. */
  statusOf: (response: Input) => unknown;
  /** Moves that are rejected, or nothing, for a reason of its own: the code that is returned instead. */
  special?: Readonly<Record<string, string>>;
}

const { companies, agents, agentActions, agentApprovals, agentFlags, filings, cases, directives, bank } = operations;
const { webhookEndpoints, replays, apiKeys } = operations;
const status = (response: Input): unknown => response['status'];

const agentOf = async ({ run, companyId: company_id }: Stage) => ({
  company_id,
  agent_id: (await run(agents.create, { company_id })).id,
});

/** Every state machine of records.md. */
export const machines: Readonly<Record<string, Machine>> = {
  company: {
    next: { forming: ['active'], active: ['dissolved'], dissolved: [] },
    make: async ({ run }) => ({
      company_id: (await run(companies.create, { status: 'forming', entity_type: 'llc' })).id,
    }),
    moves: {
      activate: { operation: companies.update, to: 'active', input: { status: 'active' } },
      dissolve: { operation: companies.dissolve, to: 'dissolved' },
    },
    ways: { forming: [], active: ['activate'], dissolved: ['activate', 'dissolve'] },
    id: 'company_id',
    statusOf: status,
    special: { 'dissolved activate': 'company_dissolved' },
  },
  'formation step': {
    next: { pending: ['completed'], completed: [] },
    make: async ({ run }) => {
      const { id, formation } = await run(companies.create, { status: 'forming', entity_type: 'llc' });
      return { company_id: id, step_key: formation.steps[0]?.key };
    },
    moves: { complete: { operation: companies.formation.completeStep, to: 'completed' } },
    ways: { pending: [], completed: ['complete'] },
    id: 'company_id',
    statusOf: status,
  },
  agent: {
    next: { active: ['paused'], paused: ['active'] },
    make: async (stage) => ({ agent_id: (await agentOf(stage)).agent_id }),
    moves: {
      pause: { operation: agents.pause, to: 'paused' },
      resume: { operation: agents.resume, to: 'active' },
    },
    ways: { active: [], paused: ['pause'] },
    id: 'agent_id',
    statusOf: status,
  },
  binding: {
    next: { linked: ['paused', 'unlinked'], paused: ['linked', 'unlinked'], unlinked: ['linked'] },
    make: agentOf,
    moves: {
      pause: { operation: agents.pause, to: 'paused' },
      resume: { operation: agents.resume, to: 'linked' },
      detach: { operation: agents.detach, to: 'unlinked' },
      attach: { operation: agents.attach, to: 'linked', input: { role: undefined } },
    },
    ways: { linked: [], paused: ['pause'], unlinked: ['detach'] },
    id: 'agent_id',
    statusOf: ({ binding }) => Reflect.get(Object(binding), 'status'),
    // A detached agent is attached again, not resumed; attaching one that is paused leaves it so.
    special: { 'unlinked resume': 'invalid_state_transition', 'paused attach': 'nothing' },
  },
  filing: {
    next: { open: ['submitted'], submitted: [] },
    make: async ({ run, companyId: company_id }) => ({ filing_id: (await run(filings.create, { company_id })).id }),
    moves: { submit: { operation: filings.submit, to: 'submitted' } },
    ways: { open: [], submitted: ['submit'] },
    id: 'filing_id',
    statusOf: status,
  },
  directive: {
    next: { issued: ['suspended', 'resolved'], suspended: ['issued', 'resolved'], resolved: [] },
    make: async ({ run, companyId: company_id }) => ({
      directive_id: (await run(directives.create, { company_id })).id,
    }),
    moves: {
      suspend: { operation: directives.suspend, to: 'suspended' },
      resume: { operation: directives.resume, to: 'issued' },
      resolve: { operation: directives.resolve, to: 'resolved' },
    },
    ways: { issued: [], suspended: ['suspend'], resolved: ['resolve'] },
    id: 'directive_id',
    statusOf: status,
  },
  case: {
    next: { open: ['waiting', 'closed'], waiting: ['open', 'closed'], closed: ['open'] },
    make: async ({ run, companyId: company_id }) => ({ case_id: (await run(cases.create, { company_id })).id }),
    moves: {
      open: { operation: cases.update, to: 'open', input: { status: 'open', assignee: undefined } },
      wait: { operation: cases.update, to: 'waiting', input: { status: 'waiting', assignee: undefined } },
      close: { operation: cases.update, to: 'closed', input: { status: 'closed', assignee: undefined } },
    },
    ways: { open: [], waiting: ['wait'], closed: ['close'] },
    id: 'case_id',
    statusOf: status,
  },
  'bank connection': {
    next: {
      pending: ['active', 'disconnected'],
      active: ['error', 'disconnected'],
      error: ['active', 'disconnected'],
      disconnected: [],
    },
    make: async ({ run, companyId: company_id }) => ({
      connection_id: (await run(bank.connections.create, { company_id })).id,
    }),
    moves: {
      setSecret: { operation: bank.connections.setSecret, to: 'active' },
      disconnect: { operation: bank.connections.disconnect, to: 'disconnected' },
    },
    ways: {
      pending: [],
      active: ['setSecret'],
      error: { table: 'bank_connection', set: "status = 'error'" },
      disconnected: ['disconnect'],
    },
    id: 'connection_id',
    statusOf: status,
    special: { 'disconnected setSecret': 'connection_disconnected' },
  },
  'bank approval': {
    next: {
      pending: ['approved', 'rejected', 'expired', 'cancelled'],
      approved: [],
      rejected: [],
      expired: [],
      cancelled: [],
    },
    make: async ({ run, companyId: company_id }) => ({
      approval_id: (await run(bank.wires.create, { company_id })).id,
    }),
    moves: {
      approve: { operation: bank.approvals.decide, to: 'approved', input: { decision: 'approve' }, byOther: true },
      reject: { operation: bank.approvals.decide, to: 'rejected', input: { decision: 'reject' }, byOther: true },
      cancel: { operation: bank.approvals.cancel, to: 'cancelled' },
    },
    ways: {
      pending: [],
      approved: ['approve'],
      rejected: ['reject'],
      expired: { table: 'bank_approval', set: "expires_at = now() - interval '1 second'" },
      cancelled: ['cancel'],
    },
    id: 'approval_id',
    statusOf: status,
  },
  'agent approval': {
    next: {
      pending: ['approved', 'denied', 'expired', 'cancelled'],
      approved: [],
      denied: [],
      expired: [],
      cancelled: [],
    },
    make: async (stage) => ({
      agent_approval_id: (await stage.run(agentApprovals.request, await agentOf(stage))).id,
    }),
    moves: {
      approve: { operation: agentApprovals.decide, to: 'approved', input: { decision: 'approve' }, byOther: true },
      deny: { operation: agentApprovals.decide, to: 'denied', input: { decision: 'deny' }, byOther: true },
      cancel: { operation: agentApprovals.cancel, to: 'cancelled' },
    },
    ways: {
      pending: [],
      approved: ['approve'],
      denied: ['deny'],
      expired: { table: 'agent_approval', set: "expires_at = now() - interval '1 second'" },
      cancelled: ['cancel'],
    },
    id: 'agent_approval_id',
    statusOf: status,
  },
  'agent action': {
    next: {
      logged: ['completed', 'failed', 'blocked'],
      blocked: ['completed', 'failed'],
      completed: [],
      failed: [],
    },
    make: async (stage) => {
      const logged = { ...(await agentOf(stage)), status: 'logged', blocked: undefined };
      return { action_id: (await stage.run(agentActions.create, logged)).id };
    },
    moves: {
      complete: { operation: agentActions.update, to: 'completed' },
      fail: {
        operation: agentActions.update,
        to: 'failed',
        input: { status: 'failed', error: { code: 'smtp_550', message: 'Mailbox unknown' } },
      },
      block: {
        operation: agentActions.update,
        to: 'blocked',
        input: { status: 'blocked', blocked: { reason: 'Not on the list' }, duration_ms: undefined },
      },
    },
    ways: { logged: [], completed: ['complete'], failed: ['fail'], blocked: ['block'] },
    id: 'action_id',
    statusOf: status,
  },
  flag: {
    next: { open: ['resolved'], resolved: [] },
    make: async (stage) => ({ flag_id: (await stage.run(agentFlags.create, await agentOf(stage))).id }),
    moves: { resolve: { operation: agentFlags.resolve, to: 'resolved' } },
    ways: { open: [], resolved: ['resolve'] },
    id: 'flag_id',
    statusOf: status,
  },
  'webhook endpoint': {
    next: { active: ['paused', 'disabled'], paused: ['active', 'disabled'], disabled: ['active'] },
    make: async ({ run, brokenUrl: url }) => ({ endpoint_id: (await run(webhookEndpoints.create, { url })).id }),
    moves: {
      pause: { operation: webhookEndpoints.update, to: 'paused', input: { status: 'paused', description: undefined } },
      resume: { operation: webhookEndpoints.update, to: 'active', input: { status: 'active', description: undefined } },
    },
    ways: {
      active: [],
      paused: ['pause'],
      disabled: { table: 'webhook_endpoint', set: "status = 'disabled', disabled_reason = 'failing'" },
    },
    id: 'endpoint_id',
    statusOf: status,
  },
  replay: {
    next: {
      running: ['paused', 'completed', 'cancelled', 'failed'],
      paused: ['running', 'cancelled', 'failed'],
      completed: [],
      cancelled: [],
      failed: [],
    },
    make: async ({ run, brokenUrl: url }) => {
      const endpoint = await run(webhookEndpoints.create, { url, events: ['company.created'] });
      const begun = await run(webhookEndpoints.replay, { endpoint_id: endpoint.id, types: undefined });
      return { replay_id: begun.object === 'replay' ? begun.id : '' };
    },
    moves: {
      pause: { operation: replays.pause, to: 'paused' },
      resume: { operation: replays.resume, to: 'running' },
      cancel: { operation: replays.cancel, to: 'cancelled' },
    },
    ways: {
      running: [],
      paused: ['pause'],
      completed: { table: 'replay', set: "status = 'completed', active = false" },
      cancelled: ['cancel'],
      failed: { table: 'replay', set: "status = 'failed', active = false" },
    },
    id: 'replay_id',
    statusOf: status,
  },
  'API key': {
    next: { active: ['expired', 'revoked'], expired: [], revoked: [] },
    make: async ({ run }) => ({ key_id: (await run(apiKeys.create)).id }),
    moves: { revoke: { operation: apiKeys.revoke, to: 'revoked' } },
    ways: {
      active: [],
      expired: { table: 'api_key', set: "expires_at = now() - interval '1 second'" },
      revoked: ['revoke'],
    },
    id: 'key_id',
    statusOf: status,
  },
};
