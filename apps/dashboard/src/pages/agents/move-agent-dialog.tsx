import { OperationDialog } from '../../operation/operation-dialog.tsx';
import type { Agent, Binding } from './agent.view.ts';

export interface AgentMove {
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
  const what = place === undefined ? agent.name : `${agent.name} at ${place}`;
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
