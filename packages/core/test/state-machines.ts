import { type Operation, operations } from '@finhook/contracts';
import { given, type Input, type Prepare } from './operation-stage.ts';

/** A call that moves a record to a state. */
interface Move {
  operation: Operation;
  to: string;
  input?: Input;
  /** Its event, if the operation has several. */
  event?: string;
}

/** All states of a record and their transitions. */
export interface Machine {
  next: Readonly<Record<string, readonly string[]>>;
  /** Creates a record in its first state and returns the ids that the moves need. */
  make: Prepare;
  moves: Readonly<Record<string, Move>>;
  /** The moves that lead a new record to a state; without moves the database is set directly. */
  ways: Readonly<Record<string, readonly string[] | { table: string; set: string }>>;
  /** The name of the record's id in the result of `make`. */
  id: string;
  /** The path of the status in an output. Default: `status`. */
  statusOf?: (output: object) => unknown;
  /** Moves that are rejected with this error code, or allowed as repeats. */
  special?: Readonly<Record<string, string>>;
}

const { companies, agents, agentActions, agentApprovals, agentFlags, filings, cases, directives, bank } = operations;
const { webhookEndpoints, replays, apiKeys } = operations;

export const machines: Readonly<Record<string, Machine>> = {
  company: {
    next: { forming: ['active'], active: ['dissolved'], dissolved: [] },
    make: given.forming,
    moves: {
      activate: { operation: companies.update, to: 'active', input: { status: 'active' } },
      dissolve: { operation: companies.dissolve, to: 'dissolved' },
    },
    ways: { forming: [], active: ['activate'], dissolved: ['activate', 'dissolve'] },
    id: 'company_id',
    special: { 'dissolved activate': 'company_dissolved' },
  },
  'formation step': {
    next: { pending: ['completed'], completed: [] },
    make: given.forming,
    moves: { complete: { operation: companies.formation.completeStep, to: 'completed' } },
    ways: { pending: [], completed: ['complete'] },
    id: 'company_id',
  },
  agent: {
    next: { active: ['paused'], paused: ['active'] },
    make: given.agent,
    moves: {
      pause: { operation: agents.pause, to: 'paused' },
      resume: { operation: agents.resume, to: 'active' },
    },
    ways: { active: [], paused: ['pause'] },
    id: 'agent_id',
  },
  binding: {
    next: { linked: ['paused', 'unlinked'], paused: ['linked', 'unlinked'], unlinked: ['linked'] },
    make: given.binding,
    moves: {
      pause: { operation: agents.pause, to: 'paused' },
      resume: { operation: agents.resume, to: 'linked' },
      detach: { operation: agents.detach, to: 'unlinked' },
      attach: { operation: agents.attach, to: 'linked', input: { role: undefined } },
    },
    ways: { linked: [], paused: ['pause'], unlinked: ['detach'] },
    id: 'agent_id',
    statusOf: (output) => Reflect.get(Object(Reflect.get(output, 'binding')), 'status'),
    // A detached agent is attached, not resumed; attaching a paused one changes nothing.
    special: { 'unlinked resume': 'invalid_state_transition', 'paused attach': 'nothing' },
  },
  filing: {
    next: { open: ['submitted'], submitted: ['open'] },
    make: given.filing,
    moves: {
      submit: { operation: filings.submit, to: 'submitted' },
      reopen: { operation: filings.reopen, to: 'open' },
    },
    ways: { open: [], submitted: ['submit'] },
    id: 'filing_id',
    special: { 'open reopen': 'invalid_state_transition' },
  },
  directive: {
    next: { issued: ['suspended', 'resolved'], suspended: ['issued', 'resolved'], resolved: [] },
    make: given.directive,
    moves: {
      suspend: { operation: directives.suspend, to: 'suspended' },
      resume: { operation: directives.resume, to: 'issued' },
      resolve: { operation: directives.resolve, to: 'resolved' },
    },
    ways: { issued: [], suspended: ['suspend'], resolved: ['resolve'] },
    id: 'directive_id',
  },
  case: {
    next: { open: ['waiting', 'closed'], waiting: ['open', 'closed'], closed: ['open'] },
    make: given.case,
    moves: {
      open: { operation: cases.update, to: 'open', input: { status: 'open', assignee: undefined } },
      wait: { operation: cases.update, to: 'waiting', input: { status: 'waiting', assignee: undefined } },
      close: { operation: cases.update, to: 'closed', input: { status: 'closed', assignee: undefined } },
    },
    ways: { open: [], waiting: ['wait'], closed: ['close'] },
    id: 'case_id',
  },
  'bank connection': {
    next: {
      pending: ['active', 'disconnected'],
      active: ['error', 'disconnected'],
      error: ['active', 'disconnected'],
      disconnected: [],
    },
    make: given.connection,
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
    make: given.wire,
    moves: {
      approve: { operation: bank.approvals.decide, to: 'approved', input: { decision: 'approve' } },
      reject: { operation: bank.approvals.decide, to: 'rejected', input: { decision: 'reject' } },
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
  },
  'agent approval': {
    next: {
      pending: ['approved', 'denied', 'expired', 'cancelled'],
      approved: [],
      denied: [],
      expired: [],
      cancelled: [],
    },
    make: given.agentApproval,
    moves: {
      approve: { operation: agentApprovals.decide, to: 'approved', input: { decision: 'approve' } },
      deny: { operation: agentApprovals.decide, to: 'denied', input: { decision: 'deny' } },
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
  },
  'agent action': {
    next: {
      logged: ['completed', 'failed', 'blocked'],
      blocked: ['completed', 'failed'],
      completed: [],
      failed: [],
    },
    make: given.action,
    moves: {
      complete: { operation: agentActions.update, to: 'completed', event: 'agent.action.completed' },
      fail: {
        operation: agentActions.update,
        to: 'failed',
        event: 'agent.action.failed',
        input: { status: 'failed', error: { code: 'smtp_550', message: 'Mailbox unknown' } },
      },
      block: {
        operation: agentActions.update,
        to: 'blocked',
        event: 'agent.action.blocked',
        input: { status: 'blocked', blocked: { reason: 'Not on the list' }, duration_ms: undefined },
      },
    },
    ways: { logged: [], completed: ['complete'], failed: ['fail'], blocked: ['block'] },
    id: 'action_id',
  },
  flag: {
    next: { open: ['resolved'], resolved: [] },
    make: given.flag,
    moves: { resolve: { operation: agentFlags.resolve, to: 'resolved' } },
    ways: { open: [], resolved: ['resolve'] },
    id: 'flag_id',
  },
  'webhook endpoint': {
    next: { active: ['paused', 'disabled'], paused: ['active', 'disabled'], disabled: ['active'] },
    make: given.endpoint,
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
  },
  replay: {
    next: {
      running: ['paused', 'completed', 'cancelled', 'failed'],
      paused: ['running', 'cancelled', 'failed'],
      completed: [],
      cancelled: [],
      failed: [],
    },
    make: given.replay,
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
  },
  'API key': {
    next: { active: ['expired', 'revoked'], expired: [], revoked: [] },
    make: given.key,
    moves: { revoke: { operation: apiKeys.revoke, to: 'revoked' } },
    ways: {
      active: [],
      expired: { table: 'api_key', set: "expires_at = now() - interval '1 second'" },
      revoked: ['revoke'],
    },
    id: 'key_id',
  },
};
