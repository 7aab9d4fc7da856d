import { z } from 'zod';
import { actionStatus, agentAction, agentApproval, agentFlag, runtimeSnapshot } from '../records/agent-runtime.ts';
import { id, sampleId } from '../scalars.ts';
import { at, defineEvent, idIn, sampleActor, sampleApprovalActor, sampleOf } from './define-event.ts';

const group = 'Agent runtime';

const ofAgent = {
  account_id: sampleId('acct'),
  agent_id: sampleId('agent'),
  company_id: sampleId('co'),
  created_at: at,
  updated_at: at,
};

const actionData = agentAction.extend({
  previous_status: actionStatus.nullable().describe('Status before the event; null if the action is new.'),
});

const logged = sampleOf(agentAction, {
  run_id: 'run-2026-03-02',
  external_id: 'mail-41',
  type: 'email.send',
  title: 'Ask the vendor for a missing invoice',
  status: 'logged',
  risk: 'low',
  input: { to: 'vendor@example.com', smtp_password: '[redacted]' },
  output: null,
});

const approval = sampleOf(agentApproval, {
  action_id: sampleId('act'),
  title: 'Send the reminder to the vendor',
  payload: { to: 'vendor@example.com', template: 'reminder' },
  edited_payload: null,
  risk: 'medium',
  options: ['Send now', 'Send on Monday', 'Do not send'],
  option_decisions: ['approve', 'approve', 'deny'],
  status: 'pending',
  requested_by: { type: 'agent', id: sampleId('agent'), name: 'Bookkeeper', person_id: sampleId('key') },
  expires_at: '2026-03-03T09:30:00.000Z',
});

const flag = sampleOf(agentFlag, {
  action_id: sampleId('act'),
  severity: 'warning',
  title: 'Wrong tone in an email',
  status: 'open',
  raised_by: sampleActor,
});

const finished = { finished_at: at, duration_ms: 840, previous_status: 'logged' as const };

export const agentRuntimeEvents = {
  'agent.action.logged': defineEvent({
    group,
    description: 'An agent logs an action.',
    data: actionData,
    thin: ['object', 'id', 'company_id', 'agent_id', 'case_id', 'status'],
    sample: { ...logged, previous_status: null },
  }),
  'agent.action.completed': defineEvent({
    group,
    description: 'An action of an agent is completed.',
    data: actionData,
    thin: ['object', 'id', 'company_id', 'agent_id', 'case_id', 'status'],
    sample: { ...logged, ...finished, status: 'completed', output: { message_id: 'msg-1' } },
  }),
  'agent.action.failed': defineEvent({
    group,
    description: 'An action of an agent fails.',
    data: actionData,
    thin: ['object', 'id', 'company_id', 'agent_id', 'case_id', 'status'],
    sample: { ...logged, ...finished, status: 'failed', error: { code: 'smtp_550', message: 'Mailbox unknown' } },
  }),
  'agent.action.blocked': defineEvent({
    group,
    description: 'An action of an agent is blocked.',
    data: actionData,
    thin: ['object', 'id', 'company_id', 'agent_id', 'case_id', 'status'],
    thinIds: { approval_id: idIn('blocked', 'approval_id', id('aap')) },
    sample: {
      ...logged,
      previous_status: 'logged',
      status: 'blocked',
      blocked: { reason: 'The recipient is not on the list', policy: 'outbound-email', approval_id: sampleId('aap') },
    },
  }),
  'agent.approval.requested': defineEvent({
    group,
    description: 'An agent asks for approval.',
    data: agentApproval,
    thin: ['object', 'id', 'company_id', 'agent_id', 'action_id', 'status'],
    sample: approval,
  }),
  'agent.approval.decided': defineEvent({
    group,
    description: 'A request of an agent is decided.',
    data: agentApproval,
    thin: ['object', 'id', 'company_id', 'agent_id', 'action_id', 'status'],
    sample: {
      ...approval,
      status: 'approved',
      decided_at: at,
      decided_by: sampleApprovalActor,
      decision_comment: 'Go ahead',
      chosen_option: 'Send now',
    },
  }),
  'agent.flag.created': defineEvent({
    group,
    description: 'A flag about an agent is raised.',
    data: agentFlag,
    thin: ['object', 'id', 'company_id', 'agent_id', 'action_id', 'case_id', 'status'],
    sample: flag,
  }),
  'agent.flag.resolved': defineEvent({
    group,
    description: 'A flag about an agent is resolved.',
    data: agentFlag,
    thin: ['object', 'id', 'company_id', 'agent_id', 'action_id', 'case_id', 'status'],
    sample: {
      ...flag,
      status: 'resolved',
      resolved_at: at,
      resolved_by: sampleActor,
      resolution_note: 'The template was corrected',
    },
  }),
  'partner.runtime.snapshot.updated': defineEvent({
    group,
    description: 'The runtime of an agent stores a checkpoint.',
    data: runtimeSnapshot.extend({
      checkpoint: z
        .unknown()
        .meta({ description: 'Checkpoint of the runtime, redacted; null if its JSON has more than 16 KiB.' }),
      checkpoint_truncated: z
        .boolean()
        .describe('True if the checkpoint was left out. Read the runtime snapshot to get it.'),
    }),
    thin: ['object', 'id', 'company_id', 'agent_id', 'version'],
    sample: {
      ...ofAgent,
      id: sampleId('rts'),
      object: 'runtime_snapshot',
      runtime: 'example-runtime/2.1',
      state: 'running',
      version: 7,
      checkpoint: { step: 4, cursor: 'invoice-117' },
      checkpoint_truncated: false,
      metrics: { actions_24h: 118, failures_24h: 2, queue_depth: 5, cost_micros_24h: 1_250_000 },
      heartbeat_at: at,
    },
  }),
};
