import { useContext } from 'react';
import { CompanyContext } from '../../components/shell/company-context.ts';
import { useCompanies } from '../../lib/use-companies.ts';
import { useReachesAll } from '../../lib/use-session.ts';
import type { FieldOptions } from '../../operation/field-control.tsx';
import { OperationDialog } from '../../operation/operation-dialog.tsx';
import type { Agent, Binding } from './agent.view.ts';

const fields = {
  name: { required: true },
  provider: { required: true, hint: 'The vendor or team that runs the agent.' },
  model: {},
  email: { type: 'email' },
  phone: { type: 'tel', hint: 'International format, like +14155550123.' },
  metadata: { rows: 3, hint: 'One key: value pair per line.' },
} satisfies Record<string, FieldOptions>;

export function CreateAgentDialog({ onClose, onDone }: { onClose: () => void; onDone: (agent: Agent) => void }) {
  const company = useContext(CompanyContext);
  const { all } = useCompanies();
  const reachesAll = useReachesAll();
  const open = all.filter(({ status }) => status !== 'dissolved').map(({ id }) => id);
  return (
    <OperationDialog
      operation="agents.create"
      title="Create agent"
      description="An AI agent or script that acts for your companies."
      submit="Create agent"
      done="Agent created."
      fixed={{}}
      fields={{
        ...fields,
        company_id: {
          label: 'Attach to company',
          initial: open.find((id) => id === company?.id) ?? '',
          ...(reachesAll && { none: 'No company yet' }),
        },
      }}
      onClose={onClose}
      onDone={onDone}
    />
  );
}

export function EditAgentDialog({ agent, onClose }: { agent: Agent; onClose: () => void }): React.JSX.Element {
  return (
    <OperationDialog
      operation="agents.update"
      title={`Edit ${agent.name}`}
      submit="Save agent"
      done="Agent saved."
      fixed={{ agent_id: agent.id }}
      record={agent}
      fields={fields}
      onClose={onClose}
    />
  );
}

interface AgentMove {
  kind: 'pause' | 'resume' | 'detach';
  binding?: Binding;
}

const moves = {
  pause: {
    operation: 'agents.pause',
    verb: 'Pause',
    done: 'paused',
    text: 'Until resumed, the agent can’t log new actions, request approvals or store checkpoints.',
  },
  resume: { operation: 'agents.resume', verb: 'Resume', done: 'resumed', text: 'The agent can act again immediately.' },
  detach: {
    operation: 'agents.detach',
    verb: 'Detach',
    done: 'detached',
    text: 'The agent can no longer act there, and its keys lose access. Past actions are kept, and you can attach the agent again.',
  },
} as const;

export interface MoveAgentDialogProps {
  agent: Agent;
  move: AgentMove;
  place?: string;
  onClose: () => void;
}

export function MoveAgentDialog({ agent, move, place, onClose }: MoveAgentDialogProps): React.JSX.Element {
  const { operation, verb, done, text } = moves[move.kind];
  const { binding } = move;
  const what = place === undefined ? agent.name : `${agent.name} ${move.kind === 'detach' ? 'from' : 'at'} ${place}`;
  return (
    <OperationDialog
      operation={operation}
      title={`${verb} ${what}?`}
      submit={`${verb} agent`}
      danger={move.kind === 'detach'}
      done={`Agent ${done}.`}
      fixed={{ agent_id: agent.id, ...(binding && { company_id: binding.company_id, case_id: binding.case_id }) }}
      fields={{ reason: { hint: 'Shown in the activity log.' } }}
      onClose={onClose}
    >
      <p>{text}</p>
    </OperationDialog>
  );
}
