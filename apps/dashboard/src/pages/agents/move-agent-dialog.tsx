import { OperationDialog } from '../../operation/operation-dialog.tsx';
import type { Agent, Binding } from './agent.view.ts';

export interface AgentMove {
  kind: 'pause' | 'resume' | 'detach';
  binding?: Binding;
}

const words = {
  pause: {
    operation: 'agents.pause',
    verb: 'Pause',
    done: 'paused',
    follows: 'Until resumed, the agent logs no new actions, requests no approvals and stores no checkpoints.',
  },
  resume: { operation: 'agents.resume', verb: 'Resume', done: 'resumed', follows: 'The agent may act again at once.' },
  detach: {
    operation: 'agents.detach',
    verb: 'Detach',
    done: 'detached',
    follows:
      'The agent no longer acts there, and its keys no longer read there. Its past actions stay, and it can be attached again.',
  },
} as const;

export interface MoveAgentDialogProps {
  agent: Agent;
  move: AgentMove;
  place?: string;
  onClose: () => void;
}

export function MoveAgentDialog({ agent, move, place, onClose }: MoveAgentDialogProps): React.JSX.Element {
  const { operation, verb, done, follows } = words[move.kind];
  const { binding } = move;
  const what = place === undefined ? agent.name : `${agent.name} at ${place}`;
  return (
    <OperationDialog
      operation={operation}
      title={`${verb} ${what}?`}
      submit={`${verb} agent`}
      danger={move.kind === 'detach'}
      done={`${what} is ${done}.`}
      fixed={{ agent_id: agent.id, ...(binding && { company_id: binding.company_id, case_id: binding.case_id }) }}
      fields={{ reason: { hint: 'Shown in the activity log.' } }}
      onClose={onClose}
    >
      <p>{follows}</p>
    </OperationDialog>
  );
}
