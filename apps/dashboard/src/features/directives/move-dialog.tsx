import { fieldError } from '../../data/problem.ts';
import { useOperation } from '../../operation/use-operation.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Options, SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { formText } from '../../ui/form.tsx';
import type { Directive, DirectiveMove } from './directive-moves.ts';

interface MoveProps {
  directive: Directive;
  onClose: () => void;
}

function SuspendDialog({ directive, onClose }: MoveProps): React.JSX.Element {
  const suspend = useOperation('directives.suspend', {
    done: 'Directive suspended.',
    onDone: onClose,
    quiet: true,
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Suspend “${directive.title}”`}
      confirm="Suspend directive"
      busy={suspend.isPending}
      error={suspend.error}
      onConfirm={(data) => suspend.mutate({ directive_id: directive.id, reason: formText(data, 'reason') })}
    >
      <p>The directive is not in force until resumed. Sends a directive.suspended event.</p>
      <TextField label="Reason (optional)" name="reason" maxLength={500} error={fieldError(suspend.error, 'reason')} />
    </ConfirmDialog>
  );
}

function ResumeDialog({ directive, onClose }: MoveProps): React.JSX.Element {
  const resume = useOperation('directives.resume', {
    done: 'Directive resumed.',
    onDone: onClose,
    quiet: true,
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Resume “${directive.title}”`}
      confirm="Resume directive"
      busy={resume.isPending}
      error={resume.error}
      onConfirm={() => resume.mutate({ directive_id: directive.id })}
    >
      <p>The directive is in force again.</p>
    </ConfirmDialog>
  );
}

const resolutions = ['completed', 'cancelled', 'superseded'] as const;

function ResolveDialog({ directive, onClose }: MoveProps): React.JSX.Element {
  const resolve = useOperation('directives.resolve', {
    done: 'Directive resolved.',
    onDone: onClose,
    quiet: true,
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Resolve “${directive.title}”`}
      confirm="Resolve directive"
      danger
      busy={resolve.isPending}
      error={resolve.error}
      onConfirm={(data) =>
        resolve.mutate({
          directive_id: directive.id,
          resolution: resolutions.find((name) => name === formText(data, 'resolution')),
          note: formText(data, 'note'),
        })
      }
    >
      <p>A resolved directive can’t be reopened. Issue a new one if needed.</p>
      <SelectField label="Resolution" name="resolution" defaultValue="completed">
        <Options values={resolutions} />
      </SelectField>
      <TextArea label="Note (optional)" name="note" maxLength={2000} error={fieldError(resolve.error, 'note')} />
    </ConfirmDialog>
  );
}

/** Asks before a directive is moved, with what the move may carry. */
export function MoveDialog({ move, ...rest }: MoveProps & { move: DirectiveMove }): React.JSX.Element {
  if (move === 'suspend') return <SuspendDialog {...rest} />;
  return move === 'resume' ? <ResumeDialog {...rest} /> : <ResolveDialog {...rest} />;
}
