import { useCompany } from '../../components/shell/company-context.ts';
import { OperationDialog } from '../../operation/operation-dialog.tsx';
import type { Directive, DirectiveMove } from './directive-moves.ts';

export function IssueDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  const company = useCompany();
  return (
    <OperationDialog
      operation="directives.create"
      title="Issue a directive"
      description="In force until suspended or resolved."
      submit="Issue directive"
      done="Directive issued."
      fixed={{ company_id: company.id }}
      fields={{
        title: {},
        body: { label: 'Instructions' },
        priority: { initial: 'normal' },
        case_id: { label: 'Case (optional)', none: 'The whole company' },
        agent_id: { label: 'Agent (optional)', none: 'Every agent' },
        due_at: {},
      }}
      onClose={onClose}
    />
  );
}

export function MoveDialog({ move, directive, onClose }: MoveDialogProps): React.JSX.Element {
  const shared = { fixed: { directive_id: directive.id }, onClose };
  if (move === 'suspend') {
    return (
      <OperationDialog
        operation="directives.suspend"
        title={`Suspend “${directive.title}”`}
        submit="Suspend directive"
        done="Directive suspended."
        fields={{ reason: {} }}
        {...shared}
      >
        <p>The directive is not in force until resumed. Sends a directive.suspended event.</p>
      </OperationDialog>
    );
  }
  if (move === 'resume') {
    return (
      <OperationDialog
        operation="directives.resume"
        title={`Resume “${directive.title}”`}
        submit="Resume directive"
        done="Directive resumed."
        {...shared}
      >
        <p>The directive is in force again.</p>
      </OperationDialog>
    );
  }
  return (
    <OperationDialog
      operation="directives.resolve"
      title={`Resolve “${directive.title}”`}
      submit="Resolve directive"
      danger
      done="Directive resolved."
      fields={{ resolution: { initial: 'completed' }, note: {} }}
      {...shared}
    >
      <p>A resolved directive can’t be reopened. Issue a new one if needed.</p>
    </OperationDialog>
  );
}

interface MoveDialogProps {
  move: DirectiveMove;
  directive: Directive;
  onClose: () => void;
}
