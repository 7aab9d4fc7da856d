import { fieldError } from '../../data/problem.ts';
import { useOperation } from '../../operation/use-operation.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { formText } from '../../ui/form.tsx';
import type { Agent, Binding } from './agent.view.ts';

export interface AgentMove {
  kind: 'pause' | 'resume' | 'detach';
  /** Absent for the whole agent. */
  binding?: Binding;
}

const words = {
  pause: {
    verb: 'Pause',
    done: 'paused',
    follows: 'It logs no new actions, asks for nothing and stores no checkpoint until it is resumed.',
  },
  resume: { verb: 'Resume', done: 'resumed', follows: 'It may act again at once.' },
  detach: {
    verb: 'Detach',
    done: 'detached',
    follows: 'It no longer acts there, and its keys no longer read there. What it did stays. It can be attached again.',
  },
} as const;

export interface MoveAgentDialogProps {
  agent: Agent;
  move: AgentMove;
  /** Names the place of the binding, such as a company. */
  place?: string;
  onClose: () => void;
}

/** Asks before an agent, or one of its bindings, is paused, resumed or detached; takes the reason. */
export function MoveAgentDialog({ agent, move, place, onClose }: MoveAgentDialogProps): React.JSX.Element {
  const { verb, done, follows } = words[move.kind];
  const what = place === undefined ? agent.name : `${agent.name} at ${place}`;
  const options = {
    done: `${what} is ${done}.`,
    quiet: true,
    onDone(): void {
      onClose();
    },
  };
  const pause = useOperation('agents.pause', options);
  const resume = useOperation('agents.resume', options);
  const detach = useOperation('agents.detach', options);
  const { error, isPending } = { pause, resume, detach }[move.kind];

  function confirm(data: FormData): void {
    const { binding } = move;
    const base = { agent_id: agent.id, reason: formText(data, 'reason') };
    const at = binding ? { company_id: binding.company_id, case_id: binding.case_id } : undefined;
    if (move.kind === 'pause') pause.mutate({ ...base, ...at });
    else if (move.kind === 'resume') resume.mutate({ ...base, ...at });
    else if (at) detach.mutate({ ...base, ...at });
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`${verb} ${what}?`}
      confirm={`${verb} agent`}
      danger={move.kind === 'detach'}
      busy={isPending}
      error={error}
      onConfirm={confirm}
    >
      <p>{follows}</p>
      <TextField
        label="Reason"
        name="reason"
        hint="Told to whoever follows the log."
        error={fieldError(error, 'reason')}
      />
    </ConfirmDialog>
  );
}
