import { useCompany } from '../../components/shell/company-context.ts';
import type { Outputs } from '../../lib/trpc.ts';
import { OperationDialog } from '../../operation/operation-dialog.tsx';

export type Directive = Outputs['directives']['get'];
export type DirectiveMove = 'suspend' | 'resume' | 'resolve';

export function IssueDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  const company = useCompany();
  return (
    <OperationDialog
      operation="directives.create"
      title="Issue directive"
      description="In force until suspended or resolved."
      submit="Issue directive"
      done="Directive issued."
      fixed={{ company_id: company.id }}
      fields={{
        title: {},
        body: { label: 'Instructions' },
        priority: { initial: 'normal' },
        case_id: { label: 'Case (optional)', none: 'All cases' },
        agent_id: { label: 'Agent (optional)', none: 'All agents' },
        due_at: {},
      }}
      onClose={onClose}
    />
  );
}

const moves = {
  suspend: {
    operation: 'directives.suspend',
    verb: 'Suspend',
    done: 'Directive suspended.',
    text: 'The directive isn’t in force until resumed. We send a directive.suspended event.',
    fields: { reason: {} },
  },
  resume: {
    operation: 'directives.resume',
    verb: 'Resume',
    done: 'Directive resumed.',
    text: 'The directive is in force again.',
    fields: {},
  },
  resolve: {
    operation: 'directives.resolve',
    verb: 'Resolve',
    done: 'Directive resolved.',
    text: 'A resolved directive can’t be reopened. Issue a new one if needed.',
    fields: { resolution: { initial: 'completed' }, note: {} },
  },
} as const;

interface MoveDialogProps {
  move: DirectiveMove;
  directive: Directive;
  onClose: () => void;
}

export function MoveDialog({ move, directive, onClose }: MoveDialogProps): React.JSX.Element {
  const { operation, verb, done, text, fields } = moves[move];
  return (
    <OperationDialog
      operation={operation}
      title={`${verb} “${directive.title}”?`}
      submit={`${verb} directive`}
      danger={move === 'resolve'}
      done={done}
      fixed={{ directive_id: directive.id }}
      fields={fields}
      onClose={onClose}
    >
      <p>{text}</p>
    </OperationDialog>
  );
}
