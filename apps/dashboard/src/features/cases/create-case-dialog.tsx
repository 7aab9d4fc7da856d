import { useOperation } from '../../operation/use-operation.ts';
import { useCompany } from '../../shell/company-context.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { CaseForm } from './case-form.tsx';

/** Opens a case of the chosen company. */
export function CreateCaseDialog({ onClose }: { onClose: () => void }): React.JSX.Element {
  const company = useCompany();
  const create = useOperation('cases.create', {
    done: 'Case opened.',
    quiet: true,
    onDone: onClose,
  });
  return (
    <Dialog open onClose={onClose} title="Open a case" description="Track a notice, dispute or question.">
      <CaseForm
        companyId={company.id}
        submit="Open case"
        onSubmit={(fields) => create.mutate({ company_id: company.id, ...fields })}
        onCancel={onClose}
        busy={create.isPending}
        error={create.error}
      />
    </Dialog>
  );
}
